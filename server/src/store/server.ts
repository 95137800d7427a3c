import { createServer, type Server, type Socket } from 'node:net';
import { toNumber } from './bson/values.ts';
import type { Engine } from './engine.ts';
import type { Job, Queue } from './queue.ts';
import { callOf, errorAnswer } from './wire/answer.ts';
import { answerFrame, Framer, ProtocolError, parseRequest, type Request } from './wire/protocol.ts';

/** Serves the wire protocol. Bytes that are none of it end their own connection, and nothing else. */
export function serve(engine: Engine, queue: Queue): { server: Server; closeAll: () => void } {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const framer = new Framer();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      try {
        for (const frame of framer.push(chunk)) accept(engine, queue, socket, parseRequest(frame));
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        socket.destroy();
      }
    });
  });
  const closeAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return { server, closeAll };
}

function accept(engine: Engine, queue: Queue, socket: Socket, request: Request): void {
  const answer = (bytes: Buffer) => {
    if (request.silent || socket.destroyed) return;
    socket.cork();
    for (const part of answerFrame(request, bytes)) socket.write(part);
    socket.uncork();
  };
  queue.add(jobOf(engine, socket, request, answer));
}

function jobOf(engine: Engine, socket: Socket, request: Request, answer: Job['answer']): Job {
  const gone = () => socket.destroyed;
  try {
    const { command, call } = callOf(engine, request);
    const time = toNumber(call.body.maxTimeMS) ?? 0;
    const until = time > 0 ? performance.now() + time : Number.POSITIVE_INFINITY;
    const repeatable = !command.writes && call.name !== 'getMore';
    const again = repeatable ? () => command.run(call) : undefined;
    return { writes: command.writes, steps: command.run(call), again, until, answer, gone };
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const refusal = errorAnswer(error);
    const again = () => answered(refusal);
    return { writes: false, steps: again(), again, until: Number.POSITIVE_INFINITY, answer, gone };
  }
}

// biome-ignore lint/correctness/useYield: an answer that is known needs no steps
function* answered(bytes: Buffer): Job['steps'] {
  return bytes;
}
