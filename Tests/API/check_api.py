"""Checks a running server against its OpenAPI document, for Tests/EndToEndTests/Serve/OpenAPITests.swift.

usage: check_api.py SERVER COOKIE

Reads the document, validates it by OpenAPI 3.1, and has schemathesis ask what the document allows and forbids.
"""

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

from openapi_spec_validator import OpenAPIV31SpecValidator

server, cookie = sys.argv[1:]
address = f"{server}/api/v1/openapi.json"
request = urllib.request.Request(address, headers={"Cookie": cookie})
document = json.load(urllib.request.urlopen(request))
OpenAPIV31SpecValidator(document).validate()

# The server takes what is not forbidden (a time is any text), so that refusing and accepting are both right.
checks = ",".join(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_schema_conformance",
        "unsupported_method",
    ]
)
schemathesis = Path(sys.executable).with_name("schemathesis")
result = subprocess.run(
    [
        schemathesis, "run", address, "--header", f"Cookie: {cookie}", "--checks", checks, "--max-examples", "15",
        "--seed", "1", "--generation-database", "none", "--no-color", "--phases", "examples,coverage,fuzzing",
        "--exclude-path", "/api/v1/changes",
    ]
)
sys.exit(result.returncode)
