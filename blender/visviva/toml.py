"""Values and tables as TOML text; Python reads TOML but does not write it."""

import json


def table(heading: str, /, **keys) -> str:
    """`[heading]` and its keys; `[name]` as heading makes one of several."""
    return "\n".join([f"[{heading}]", *(f"{key} = {value(entry)}" for key, entry in keys.items())]) + "\n"


def value(of) -> str:
    if isinstance(of, str):
        return json.dumps(of, ensure_ascii=False)  # JSON's escapes are among TOML's.
    if isinstance(of, dict):
        return "{ " + ", ".join(f"{key} = {value(entry)}" for key, entry in of.items()) + " }"
    if isinstance(of, (list, tuple)):
        return "[" + ", ".join(map(value, of)) + "]"
    return f"{of:.9g}"
