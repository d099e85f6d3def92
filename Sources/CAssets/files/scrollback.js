// Improves the pages, which work without it: more messages as one scrolls, new messages as they are stored, keys, and a
// filter that follows the typing. The server renders every row, so that templates exist once.

const main = document.getElementById('main');
/** The path below which a proxy has the server. */
const root = document.documentElement.dataset.root ?? '';
const log = main?.querySelector('.log');
const isRoom = main?.classList.contains('room') && log;

/** Fetches a part of a page. */
async function fragment(address, parameters = {}) {
  const url = new URL(address, location.href);
  url.hash = '';
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  url.searchParams.set('fragment', '1');
  const response = await fetch(url, { headers: { accept: 'text/html' } });
  if (!response.ok) throw new Error(`status ${response.status}`);
  // A template has no document of its own, which would take more memory than its rows.
  const template = document.createElement('template');
  template.innerHTML = await response.text();
  return template.content;
}

// MARK: The reader's zone

/** Sends the zone to the server in a cookie, and reloads the page the first time. */
function tellZone() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const cookie = `tz=${encodeURIComponent(zone)}`;
  if (!zone || !document.documentElement.dataset.zone || document.cookie.split('; ').includes(cookie)) return;
  document.cookie = `${cookie}; path=${root}/; max-age=34560000; samesite=strict`;
  if (zone !== document.documentElement.dataset.zone && document.cookie.includes(cookie)) location.reload();
}

// MARK: Rows

const rows = () => [...document.querySelectorAll('.log .m, .hits .m')];
/** The cursor of an element of a message. In a view of several accounts, the account precedes it. */
const cursor = (element) => element.id.split('/').pop();
const messages = () => log.querySelectorAll('.m[id], .q span[id]');

/** The height of the bars that stay at the top. */
const bars = () => ['.top', '.tools'].reduce((sum, name) => sum + (document.querySelector(name)?.offsetHeight ?? 0), 0);

function isAtEnd() {
  return innerHeight + scrollY >= document.documentElement.scrollHeight - 160;
}

/** Finds the first row whose lower end is below a line. Reads no row that the browser has not laid out. */
function rowBelow(line) {
  for (const list of log.querySelectorAll('ol')) {
    if (list.getBoundingClientRect().bottom <= line) continue;
    const row = [...list.children].find((each) => each.getBoundingClientRect().bottom > line);
    if (row) return row;
  }
}

/** Runs a change of the page, and keeps what is in view at its place. */
function keepingPlace(change) {
  const seen = rowBelow(bars());
  const before = seen?.getBoundingClientRect().top;
  const { style } = document.documentElement;
  style.overflowAnchor = 'none';
  change();
  if (seen?.isConnected) {
    const moved = seen.getBoundingClientRect().top - before;
    if (moved) scrollBy({ top: moved, behavior: 'instant' });
  }
  requestAnimationFrame(() => requestAnimationFrame(() => { style.overflowAnchor = ''; }));
}

/** Hides the name of a message that continues the one above, as the server does within a page. */
function continueRow(above, row) {
  if (!above?.classList.contains('m') || !row?.classList.contains('m') || row.classList.contains('f')) return;
  const [first, second] = [above, row].map((element) => element.querySelector(':scope > div > .n'));
  const time = (element) => Date.parse(element.querySelector('time')?.dateTime);
  if (!first || !second || row.querySelector('.r') || first.textContent !== second.textContent) return;
  if (time(row) - time(above) >= 600_000) return;
  row.classList.add('f');
  second.classList.add('v');
}

/** Lets the browser skip the layout of rows that are far away. Their height is known, so nothing moves. */
function skipWhenFar(lists) {
  const heights = lists.map((list) => list.getBoundingClientRect().height);
  lists.forEach((list, place) => {
    if (list.children.length < 8) return;
    list.style.containIntrinsicSize = `auto ${Math.ceil(heights[place])}px`;
    list.classList.add('chunk');
  });
}

/** The rows of lists that are far away, as text in UTF-8: 50,000 messages as elements take a gigabyte, as strings 80 MB. */
const packed = new Map();
/** The rows that stay elements, so that the browser's own search finds them. */
const liveRows = 600;

const near = isRoom && new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) unpack(target);
}, { rootMargin: '3000px 0px' });

function pack(list) {
  list.style.height = `${list.getBoundingClientRect().height}px`;
  packed.set(list, new TextEncoder().encode(list.innerHTML));
  list.replaceChildren();
  near.observe(list);
}

function unpack(list) {
  const rows = packed.get(list);
  near.unobserve(list);
  packed.delete(list);
  if (rows === undefined) return;
  keepingPlace(() => {
    list.innerHTML = new TextDecoder().decode(rows);
    list.style.height = '';
  });
  setTimeout(packFarRows, 200);
}

function packFarRows() {
  const lists = [...log.querySelectorAll('ol')].filter((list) => !packed.has(list));
  let count = lists.reduce((sum, list) => sum + list.childElementCount, 0);
  if (count <= liveRows) return;
  // The last list stays: new messages follow it.
  const distances = lists.slice(0, -1).map((list) => {
    const { top, bottom } = list.getBoundingClientRect();
    return [list, top > innerHeight ? top - innerHeight : -bottom];
  });
  for (const [list, distance] of distances.sort((a, b) => b[1] - a[1])) {
    if (count <= liveRows * 0.8 || distance < 8000) break;
    count -= list.childElementCount;
    pack(list);
  }
}

/** Removes gaps of one part that the other part shows as well: a gap between two pages is on both. */
function removeTwice(gaps, others) {
  const known = new Set([...others].map((gap) => gap.querySelector('small')?.textContent));
  for (const gap of gaps) if (known.has(gap.querySelector('small')?.textContent)) gap.remove();
}

/** Adds the sections of a fragment before or after those of the page; a day on both becomes one. */
function join(part, isOlder) {
  const [upper, lower] = isOlder ? [part, log] : [log, part];
  const [last, first] = [upper.lastElementChild, lower.firstElementChild];
  removeTwice(lower.querySelectorAll(':scope > .g, :scope > section:first-of-type .g'), upper.querySelectorAll('.g'));
  const lists = [...part.querySelectorAll('ol')];
  const day = (section) => section?.querySelector(':scope > h2')?.id;
  const start = lower.contains(first) ? first : lower.firstElementChild;
  if (last && start && day(last) && day(last) === day(start)) {
    const [above, below] = [last.querySelector('ol:last-of-type'), start.querySelector('ol')];
    continueRow(above?.lastElementChild, below?.firstElementChild);
    const [kept, given] = isOlder ? [start, last] : [last, start];
    const moved = [...given.querySelectorAll(':scope > ol')];
    if (isOlder) kept.querySelector(':scope > h2').after(...moved); else kept.append(...moved);
    given.remove();
  }
  if (isOlder) log.prepend(...part.children); else log.append(...part.children);
  skipWhenFar(lists);
}

// MARK: Endless scrolling

const edge = (relation) => main.querySelector(`.edge a[rel=${relation}]`);
let hasLoaded = false;

/** Loads the next page in one direction. The link in its place remains for a failure. */
async function loadMore(link) {
  const isOlder = link.rel === 'prev';
  const old = link.closest('.edge');
  const found = await fragment(link.href);
  const part = found.querySelector('.log');
  const next = found.querySelector(`.edge a[rel=${link.rel}]`)?.closest('.edge') ?? (isOlder && found.querySelector('p.edge'));
  if (!old.isConnected) return;
  hasLoaded = true;
  keepingPlace(() => {
    join(part, isOlder);
    if (next) old.replaceWith(next); else old.remove();
  });
  if (!isOlder && !next && !('bounded' in main.dataset)) main.dataset.live = '';
  setTimeout(packFarRows, 200);
  watchEdges();
}

const loading = new Set();
const edges = isRoom && new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    const link = target.querySelector('a[rel]');
    if (!isIntersecting || !link || loading.has(link.rel)) continue;
    loading.add(link.rel);
    edges.unobserve(target);
    loadMore(link).catch(() => {}).finally(() => {
      loading.delete(link.rel);
      watchEdges();
    });
  }
}, { rootMargin: '1500px 0px' });

function watchEdges() {
  for (const relation of ['prev', 'next']) {
    const target = edge(relation)?.closest('.edge');
    if (target && !loading.has(relation)) edges.observe(target);
  }
}

/** Keeps the address of what is read, so that it can be copied and reloaded. A day keeps its own. */
function keepAddress() {
  if (!hasLoaded || 'bounded' in main.dataset) return;
  const url = new URL(main.dataset.path, location.href);
  const top = bars() + 40;
  if ('live' in main.dataset && isAtEnd()) {
    url.hash = 'end';
  } else {
    const row = rowBelow(top);
    if (!row?.matches('.m')) return;
    url.searchParams.set('around', cursor(row));
    url.hash = row.id;
  }
  history.replaceState(null, '', url);
}

/** The heading's "Saturday, 21 November 2026" as the bar has it: "21 Nov 2026". */
const shortDay = (words) => words.replace(/^.*?, (\d+ ...)\S*/, '$1');
const dayOf = (section) => section?.querySelector('h2 time');
const isMoved = () => document.querySelector('.days.moved') !== null;

/** Shows the day in view in the bar, and the days beside it. */
function followDay() {
  const field = document.getElementById('date');
  const section = rowBelow(bars() + 40)?.closest('section');
  const time = dayOf(section);
  const day = time?.dateTime;
  if (!field || !day || 'bounded' in main.dataset || field === document.activeElement || field.value === day) return;
  field.value = day;
  const words = shortDay(time.textContent);
  const pill = document.getElementById('day');
  if (pill) {
    pill.textContent = words;
    pill.href = `${pill.getAttribute('href').split('?')[0]}?year=${day.slice(0, 4)}#day-${day}`;
  }
  const choice = document.getElementById('download-day');
  if (choice) [choice.value, choice.textContent] = [day, words];
  const days = document.querySelector('.days');
  days.classList.add('moved');
  for (const isNext of [false, true]) followNeighbour(days, section, isNext);
}

/** Lets the link at one side of the day lead to the next day that is loaded, or else to the messages beyond. */
function followNeighbour(days, section, isNext) {
  const id = isNext ? 'next-day' : 'previous-day';
  let link = document.getElementById(id);
  const time = dayOf(isNext ? section.nextElementSibling : section.previousElementSibling);
  const more = edge(isNext ? 'next' : 'prev');
  if (!link) {
    link = document.createElement('a');
    [link.id, link.className] = [id, 'button'];
    link.textContent = isNext ? '→' : '←';
    if (isNext) days.append(link); else days.prepend(link);
    link.addEventListener('click', (event) => { event.preventDefault(); stepDay(isNext); });
  }
  link.hidden = !time && !more;
  const url = new URL(time ? main.dataset.path : more?.href ?? location.href, location.href);
  if (time) url.searchParams.set('day', time.dateTime);
  link.href = url;
  link.setAttribute('aria-label', isNext ? 'Next day' : 'Previous day');
}

function startDays() {
  for (const [id, forward] of [['previous-day', false], ['next-day', true]]) {
    document.getElementById(id)?.addEventListener('click', (event) => {
      if (!isMoved()) return;
      event.preventDefault();
      stepDay(forward);
    });
  }
}

function startScrolling() {
  const isPlain = !location.hash && !/[?&](before|after|around|between|day|oldest|unread)=/.test(location.search);
  if (isPlain) scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
  const around = new URLSearchParams(location.search).get('around');
  const place = log.querySelector('.here, .unread-line')
    ?? (around && [...messages()].find((row) => cursor(row) >= around));
  if (!location.hash) place?.scrollIntoView({ block: 'center', behavior: 'instant' });
  // The address has the place, and a page that is made again has other heights.
  if (!('bounded' in main.dataset)) history.scrollRestoration = 'manual';
  skipWhenFar([...log.querySelectorAll('ol')]);
  watchEdges();
  followDay();
  let timer;
  addEventListener('scroll', () => {
    clearTimeout(timer);
    timer = setTimeout(() => { keepAddress(); followDay(); }, 400);
    if (isAtEnd()) showNews(0);
  }, { passive: true });
}

// MARK: New messages

let news = 0;
const badge = document.createElement('button');
badge.className = 'news main-button';
badge.hidden = true;

/** Shows the number of messages that arrived out of view. */
function showNews(count) {
  news = count;
  badge.hidden = count === 0;
  badge.textContent = `${count} new ↓`;
}

function goToEnd() {
  const newest = document.getElementById('newest');
  if (newest) location.assign(newest.href);
  else scrollTo({ top: document.documentElement.scrollHeight });
}

/** Adds the messages after the last one. */
async function loadNew() {
  const last = [...messages()].pop();
  const address = main.dataset.path;
  let after = last && cursor(last);
  while ('live' in main.dataset) {
    const found = await fragment(address, after ? { after, limit: 200 } : { limit: 200 });
    const part = found.querySelector('.log');
    for (const row of part.querySelectorAll('[id]')) if (row.id.includes(':') && document.getElementById(row.id)) row.remove();
    const arrived = part.querySelectorAll('.m').length;
    if (!part.querySelector('.m, .q, .g')) return;
    after = [...part.querySelectorAll('.m[id], .q span[id]')].map(cursor).pop();
    const follows = isAtEnd() && !document.hidden;
    join(part, false);
    if (follows) scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
    else if (arrived) showNews(news + arrived);
    if (!found.querySelector('a[rel=next]')) return;
  }
}

const element = (id) => [...messages()].find((row) => cursor(row) === id);

/** Replaces the row of a message that changed, or adds the row of one that was stored late. */
async function renew(id) {
  const old = element(id);
  const found = await fragment(main.dataset.path, { around: id, limit: 1 });
  const row = [...found.querySelectorAll('.m[id]')].find((each) => cursor(each) === id);
  row?.classList.remove('here');
  row?.querySelector('.acts')?.remove();
  if (old) {
    if (old.matches('span')) return;
    keepingPlace(() => {
      if (!row) return old.remove();
      old.replaceWith(row);
      if (old.classList.contains('f')) continueRow(row.previousElementSibling, row);
    });
    return;
  }
  const next = row && [...log.querySelectorAll('.m[id]')].find((each) => cursor(each) > id);
  if (next) keepingPlace(() => next.before(row));
}

const changed = new Set();
let timer;

async function applyChanges() {
  timer = undefined;
  const ids = [...changed];
  changed.clear();
  for (const [list, rows] of packed) if (ids.some((id) => rows.includes(id))) unpack(list);
  const shown = [...messages()].map(cursor);
  const last = shown.reduce((a, b) => (a > b ? a : b), '');
  const first = shown.reduce((a, b) => (a < b ? a : b), '~');
  if (ids.some((id) => id > last)) {
    if ('live' in main.dataset) await loadNew();
    else showNews(news + ids.filter((id) => id > last).length);
  }
  for (const id of ids.filter((id) => id <= last && id >= first).slice(0, 50)) await renew(id);
}

function note(event) {
  const change = JSON.parse(event.data);
  if (change.subject !== 'message') return;
  changed.add(change.id);
  timer ??= setTimeout(() => applyChanges().catch(() => {}), 120);
}

/** The change feed of a room or an account. It continues where it was closed. */
class Feed {
  wait = 1000;

  constructor(query) {
    this.url = new URL(`${root}/api/v1/changes${query}`, location.href);
  }

  open() {
    if (this.source || document.hidden) return;
    clearTimeout(this.timer);
    const source = this.source = new EventSource(this.url);
    for (const kind of ['stored', 'edited', 'deleted', 'reactions', 'attachment']) {
      source.addEventListener(kind, (event) => {
        this.url.searchParams.set('after', event.lastEventId);
        note(event);
      });
    }
    source.addEventListener('reset', () => location.reload());
    source.addEventListener('open', () => {
      this.wait = 1000;
      showState();
    });
    source.addEventListener('error', () => {
      // After a lost connection the browser connects again, but never after an answer such as a proxy's 502.
      if (source.readyState === EventSource.CLOSED) {
        this.close();
        this.timer = setTimeout(() => this.open(), this.wait * (0.5 + Math.random()));
        this.wait = Math.min(this.wait * 2, 60_000);
      }
      showState();
    });
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = undefined;
  }

  get isOpen() { return this.source?.readyState === EventSource.OPEN; }
}

let feeds = [];
let stateTimer;
const offline = document.createElement('p');
offline.className = 'offline';
offline.setAttribute('role', 'status');

/** Says it if the page has not been live for some seconds. */
function showState() {
  clearTimeout(stateTimer);
  const isLive = document.hidden || feeds.every((feed) => feed.isOpen);
  if (isLive) offline.textContent = '';
  else stateTimer = setTimeout(() => { offline.textContent = 'Not live: connecting again'; }, 3000);
}

/** Follows the room while it is in view. A browser has six connections to a server (HTTP/1.1), and a page that it keeps for
 * its back button holds on to them. */
function startLive() {
  document.body.append(badge, offline);
  if ('poll' in main.dataset) {
    setInterval(() => { if (!document.hidden && 'live' in main.dataset) loadNew().catch(() => {}); }, 15_000);
  }
  badge.addEventListener('click', () => { showNews(0); goToEnd(); });
  feeds = (main.dataset.feeds ?? '').split(' ').filter(Boolean).map((query) => new Feed(query));
  const follow = () => { feeds.forEach((feed) => feed.open()); showState(); };
  const rest = () => { feeds.forEach((feed) => feed.close()); showState(); };
  document.addEventListener('visibilitychange', () => { if (document.hidden) rest(); else follow(); });
  addEventListener('pagehide', rest);
  addEventListener('pageshow', (event) => { if (event.persisted) follow(); });
  follow();
}

// MARK: Rooms

function startFilter() {
  const form = document.getElementById('filter');
  const list = () => document.querySelector('.room-list');
  if (!form || !list()) return;
  const field = form.elements.filter;
  form.elements.sort.addEventListener('change', () => form.requestSubmit());
  const apply = () => {
    const text = field.value.trim().toLocaleLowerCase();
    for (const row of list()?.children ?? []) {
      const names = row.querySelector('h2').textContent.toLocaleLowerCase();
      row.hidden = !names.includes(text);
    }
  };
  // From anywhere: r, some letters of the name, Enter. The browser takes the focus away when it has loaded the page.
  const focus = () => { if (location.hash === '#filter') field.focus(); };
  focus();
  addEventListener('load', () => setTimeout(focus));
  form.addEventListener('submit', (event) => {
    const first = [...list()?.children ?? []].find((row) => !row.hidden)?.querySelector('h2 a');
    if (document.activeElement !== field || !field.value.trim() || !first) return;
    event.preventDefault();
    location.assign(first.href);
  });
  const reload = async () => {
    const url = new URL(location.href);
    const isLong = list() && Number(list().dataset.count) > list().children.length;
    if (isLong || !list()) url.searchParams.set('filter', field.value);
    const response = await fetch(url);
    if (!response.ok) return;
    const found = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('.room-list');
    const marked = new Set([...document.querySelectorAll('.room-list input:checked')].map((box) => box.value));
    if (!found || !list()) return;
    list().replaceWith(found);
    for (const box of found.querySelectorAll('input')) box.checked = marked.has(box.value);
    apply();
  };
  let waiting;
  field.addEventListener('input', () => {
    apply();
    clearTimeout(waiting);
    if (Number(list()?.dataset.count) > list()?.children.length) waiting = setTimeout(() => reload().catch(() => {}), 250);
  });
  document.addEventListener('visibilitychange', () => { if (!document.hidden) reload().catch(() => {}); });
  setInterval(() => { if (!document.hidden) reload().catch(() => {}); }, 30_000);
}

// MARK: Search

async function loadFacets() {
  const found = await fragment(main.dataset.facets);
  const facets = found.querySelector('.facets');
  if (!facets) return;
  document.querySelector('.results').append(facets);
  document.querySelector('.results').classList.add('has-facets');
  document.getElementById('count')?.remove();
}

// MARK: Keys

let current;

function goTo(row) {
  if (!row) return;
  current = row;
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
}

/** Goes to the next or the previous of some rows; from nowhere, to the first one in view. */
function step(all, forward) {
  const place = current?.isConnected ? all.indexOf(current) : -1;
  if (place >= 0) return all[place + (forward ? 1 : -1)];
  const compared = current?.isConnected && (forward
    ? all.find((row) => current.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING)
    : all.findLast((row) => current.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_PRECEDING));
  if (compared) return compared;
  const inView = all.filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom > bars() + 8 && top < innerHeight;
  });
  return forward ? inView[0] ?? all[0] : inView.at(-1) ?? all.at(-1);
}

function stepHit(forward) {
  const hit = step([...document.querySelectorAll('.m.hit')], forward);
  if (hit) goTo(hit);
  else if (!isRoom) main.querySelector(`.edge a[rel=${forward ? 'next' : 'prev'}]`)?.click();
}

/** Goes to the heading of another day, on this page or on another. */
function stepDay(forward) {
  const link = document.getElementById(forward ? 'next-day' : 'previous-day');
  if (!log || (!hasLoaded && !isMoved() && link)) return link?.click();
  const days = [...log.querySelectorAll('section')];
  const line = bars() + 8;
  const place = days.findLastIndex((day) => day.getBoundingClientRect().top <= line);
  const target = days[forward ? place + 1 : days[place]?.getBoundingClientRect().top < line - 12 ? place : place - 1];
  if (target) scrollBy({ top: target.getBoundingClientRect().top - bars() - 2 });
  else edge(forward ? 'next' : 'prev')?.click();
}

function goToDate() {
  const field = document.getElementById('date');
  if (!field) return;
  field.closest('details')?.setAttribute('open', '');
  field.focus();
}

function goToRooms() {
  const field = document.querySelector('#filter input');
  if (field) field.focus();
  else location.assign(`${root}/#filter`);
}

function goToSearch() {
  const field = document.querySelector('.search-form input[type=search], .find input[type=search], #filter input');
  if (field?.offsetParent) { field.focus(); field.select(); } else location.assign(`${root}/search`);
}

const keys = [
  ['/', 'search', goToSearch],
  ['r', 'go to another room', goToRooms],
  ['j', 'next message', () => goTo(step(rows(), true))],
  ['k', 'previous message', () => goTo(step(rows(), false))],
  ['n', 'next hit of a search', () => stepHit(true)],
  ['N', 'previous hit of a search', () => stepHit(false)],
  ['[', 'previous day with messages', () => stepDay(false)],
  [']', 'next day with messages', () => stepDay(true)],
  ['g', 'go to a date', goToDate],
  ['G', 'go to the newest message', goToEnd],
  ['?', 'list the keys', showKeys],
];

let dialog;

function showKeys() {
  if (!dialog) {
    dialog = document.createElement('dialog');
    const title = document.createElement('h2');
    title.id = 'keys-title';
    title.textContent = 'Keys';
    dialog.setAttribute('aria-labelledby', title.id);
    const list = document.createElement('dl');
    list.className = 'keys';
    for (const [key, words] of [...keys, ['Enter', 'open the message']]) {
      const [term, detail, cap] = ['dt', 'dd', 'kbd'].map((name) => document.createElement(name));
      cap.textContent = key;
      detail.textContent = words;
      term.append(cap);
      list.append(term, detail);
    }
    const close = document.createElement('button');
    close.textContent = 'Close';
    close.addEventListener('click', () => dialog.close());
    dialog.append(title, list, close);
    dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
    document.body.append(dialog);
  }
  dialog.showModal();
}

function startKeys() {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || dialog?.open) return;
    if (event.key === 'Escape') for (const menu of document.querySelectorAll('details.more[open]')) menu.open = false;
    if (event.target.closest('input, textarea, select, [contenteditable]')) {
      if (event.key === 'Escape') event.target.blur();
      return;
    }
    if (event.key === 'Enter' && event.target === current) return current.querySelector('.t')?.click();
    const action = keys.find(([key]) => key === event.key)?.[2];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** Goes to the message replied to, without another page, if it was loaded meanwhile. */
function startReplies() {
  log.addEventListener('click', (event) => {
    const link = event.target.closest('a.r');
    const target = link && document.getElementById(decodeURIComponent(new URL(link.href).hash.slice(1)));
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    target.scrollIntoView({ block: 'center' });
    goTo(target);
  });
}

tellZone();
startKeys();
startFilter();
if (isRoom) {
  startScrolling();
  startDays();
  startReplies();
  if (main.dataset.feeds || 'poll' in main.dataset) startLive();
}
if (main?.dataset.facets) loadFacets().catch(() => {});
