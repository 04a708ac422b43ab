// Where the page begins: a run that lies in it, or the program that served it.
import "./style.css";
import { PageFrame } from "./page/frame";
import { EmbeddedSource } from "./source/embedded";
import { SocketSource } from "./source/socket";

function socketAddress(): string {
    const { protocol, host, search } = window.location;
    const token = new URLSearchParams(search).get("token") ?? "";
    return `${protocol === "https:" ? "wss" : "ws"}://${host}/socket?token=${encodeURIComponent(token)}`;
}

const host = document.getElementById("page");
if (host) new PageFrame(EmbeddedSource.find() ?? new SocketSource(socketAddress()), host);
