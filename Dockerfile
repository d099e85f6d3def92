# syntax=docker/dockerfile:1
# Scrollback's listener in a container. The project's CI doesn't build this file.
#
#     docker build -t scrollback .
#     docker run -d --stop-timeout 15 -v scrollback:/var/lib/scrollback \
#         -v "$PWD/scrollback.toml:/etc/scrollback/scrollback.toml:ro" scrollback
#     docker exec CONTAINER scrollback history lobby

FROM swift:6.3-bookworm AS build
WORKDIR /source
# Debian 12 has one version of each package, with its security fixes.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        dpkg-dev libexpat1-dev libpcre2-dev libsqlite3-dev libtomlplusplus-dev libzstd-dev make python3 zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
COPY . .
RUN make deb MAINTAINER="Scrollback in a container <root@localhost>"

FROM debian:bookworm-slim
# The package brings the libraries, the user and its folder. The user's number is fixed, for folders of the host.
# hadolint ignore=DL3008
RUN --mount=type=bind,from=build,source=/source/.build/packages,target=/packages \
    apt-get update \
    && apt-get install -y --no-install-recommends adduser \
    && adduser --quiet --system --uid 900 --group --no-create-home --home /var/lib/scrollback scrollback \
    && apt-get install -y --no-install-recommends ca-certificates libncursesw6 /packages/scrollback_*.deb \
    && rm -rf /var/lib/apt/lists/*
ENV SCROLLBACK_CONFIG=/etc/scrollback/scrollback.toml SCROLLBACK_DATA=/var/lib/scrollback LANG=C.UTF-8
USER 900
WORKDIR /var/lib/scrollback
VOLUME /var/lib/scrollback
HEALTHCHECK --interval=1m --timeout=10s --start-period=15m CMD ["scrollback", "status", "--check"]
CMD ["scrollback", "listen"]
