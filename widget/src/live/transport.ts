/** What a transport reports, always after the call that opened it has returned. One that was closed may still do so. */
export interface TransportEvents {
  /** One Engine.IO packet, as text. */
  packet(text: string): void;
  /** The connection is gone. */
  closed(): void;
}

/** One Engine.IO 4 connection. */
export interface Transport {
  send(packet: string): void;
  close(): void;
}

export type OpenTransport = (origin: string, on: TransportEvents) => Transport;

export const openWebSocket: OpenTransport = (origin, on) => {
  let socket: WebSocket;
  try {
    socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/socket.io/?EIO=4&transport=websocket`);
  } catch {
    // Refused outright by the page's policy or by mixed content.
    setTimeout(on.closed);
    return { send() {}, close() {} };
  }
  socket.onmessage = ({ data }) => typeof data === 'string' && on.packet(data);
  socket.onclose = on.closed;
  return {
    send: (packet) => socket.readyState === WebSocket.OPEN && socket.send(packet),
    close: () => socket.close(),
  };
};
