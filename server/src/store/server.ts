import { createServer, type Server, type Socket } from 'node:net';
import { toNumber } from './bson/values.ts';
import type { Engine } from './engine.ts';
import type { Job, Queue } from './queue.ts';
import { callOf, errorAnswer } from './wire/answer.ts';
import { answerFrame, Framer, ProtocolError, parseRequest, type Request } from './wire/protocol.ts';

/** A driver's pool has 100 connections, and several programs may have the store open at once. */
const MAX_CONNECTIONS = 1_000;
/** How many requests of one connection run at a time. Drivers wait for each answer anyway. */
const MAX_AT_A_TIME = 4;
/** How many bytes of unread answers a connection may have before its next requests wait (backpressure). */
const MAX_UNREAD_BYTES = 32 * 2 ** 20;
/** How many bytes of incomplete messages all connections together may hold. A connection that exceeds it is closed. */
const MAX_UNFINISHED_BYTES = 256 * 2 ** 20;

/** Serves the wire protocol. Bytes that are not valid protocol close their own connection and affect no other. */
export function serve(engine: Engine, queue: Queue): { server: Server; closeAll: () => void } {
  const connections = new Set<Connection>();
  const unfinished = () => [...connections].reduce((sum, { unfinishedBytes }) => sum + unfinishedBytes, 0);
  const server = createServer((socket) => {
    const connection = new Connection(engine, queue, socket, () => unfinished() > MAX_UNFINISHED_BYTES);
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
  server.maxConnections = MAX_CONNECTIONS;
  const closeAll = () => {
    for (const { socket } of connections) socket.destroy();
  };
  return { server, closeAll };
}

/** One client connection: its requests begin in order, and pause while it does not read the answers. */
class Connection {
  readonly socket: Socket;
  private readonly engine: Engine;
  private readonly queue: Queue;
  private readonly isTooMuch: () => boolean;
  private readonly framer = new Framer();
  private readonly waiting: Request[] = [];
  private underWay = 0;
  /** How many of them may write. */
  private writing = 0;

  constructor(engine: Engine, queue: Queue, socket: Socket, isTooMuch: () => boolean) {
    this.engine = engine;
    this.queue = queue;
    this.socket = socket;
    this.isTooMuch = isTooMuch;
    socket.on('error', () => socket.destroy());
    socket.on('drain', () => this.begin());
    socket.on('close', () => this.begin());
    socket.on('data', (chunk) => this.read(chunk));
  }

  get unfinishedBytes(): number {
    return this.framer.size;
  }

  private read(chunk: Buffer): void {
    try {
      for (const frame of this.framer.push(chunk)) this.waiting.push(parseRequest(frame));
      this.begin();
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.socket.destroy();
    }
    if (this.framer.size > 0 && this.isTooMuch()) this.socket.destroy();
  }

  private begin(): void {
    while (this.mayBegin()) {
      const request = this.waiting.shift();
      if (!request) break;
      const job = jobOf(
        this.engine,
        request,
        (bytes) => {
          if (job.writes) this.writing--;
          this.answer(request, bytes);
        },
        () => this.socket.destroyed,
      );
      this.underWay++;
      if (job.writes) this.writing++;
      this.queue.add({ ...job, early: job.early && this.writing === 0 });
    }
    if (this.waiting.length > 0) this.socket.pause();
    else if (this.socket.isPaused()) this.socket.resume();
  }

  /** A client that has disconnected reads no more answers, but the requests that it sent before are still executed. */
  private mayBegin(): boolean {
    if (this.socket.destroyed) return true;
    return this.underWay < MAX_AT_A_TIME && this.socket.writableLength < MAX_UNREAD_BYTES;
  }

  private answer(request: Request, bytes: Buffer): void {
    this.underWay--;
    if (this.socket.destroyed) return;
    if (!request.silent) {
      this.socket.cork();
      for (const part of answerFrame(request, bytes)) this.socket.write(part);
      this.socket.uncork();
    }
    if (this.waiting.length > 0) this.begin();
  }
}

/** Commands that may take long and whose answer no user waits for. */
const PATIENT = new Set(['createIndexes', 'delete', 'validate']);

/** The job for a request. A request that cannot begin gets its error in order, like any other answer. */
export function jobOf(engine: Engine, request: Request, answer: Job['answer'], gone: Job['gone']): Job {
  try {
    const { command, call } = callOf(engine, request);
    const time = toNumber(call.body.maxTimeMS) ?? 0;
    const until = time > 0 ? performance.now() + time : Number.POSITIVE_INFINITY;
    const repeatable = !command.writes && call.name !== 'getMore';
    const again = repeatable ? () => command.run(call) : undefined;
    const [resumable, patient] = [call.name === 'createIndexes', PATIENT.has(call.name)];
    const early = repeatable && !PATIENT.has(call.name);
    return { writes: command.writes, steps: command.run(call), again, until, answer, gone, resumable, patient, early };
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const refusal = errorAnswer(error);
    const again = () => answered(refusal);
    const until = Number.POSITIVE_INFINITY;
    return { writes: false, steps: again(), again, until, answer, gone, resumable: false, patient: false, early: true };
  }
}

// biome-ignore lint/correctness/useYield: an answer that is known needs no steps
function* answered(bytes: Buffer): Job['steps'] {
  return bytes;
}
