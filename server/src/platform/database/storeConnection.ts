import { connect, type Socket } from 'node:net';
import mongoose from 'mongoose';

const { BSON } = mongoose.mongo;

const OP_MSG = 2013;
/** Bytes of a message before its document: header, flags, kind of section. */
const HEAD_BYTES = 21;
const UNKNOWN_ERROR = 8;

/** The store has gone, or has not answered in time. The command may have been carried out or not. */
export class StoreConnectionError extends Error {
  override name = 'StoreConnectionError';
}

/** The store refused a command, with MongoDB's code for the reason. */
class StoreRefusal extends Error {
  readonly code: number;

  constructor(answer: { errmsg?: string; code?: number }) {
    super(answer.errmsg);
    this.code = answer.code ?? UNKNOWN_ERROR;
  }
}

/** Connections to the embedded store for single commands. */
export interface StoreConnection {
  /**
   * Sends a command to a database. Undefined fields are left out.
   * @throws StoreRefusal, StoreConnectionError
   */
  command<Result>(database: string, command: object): Promise<Result>;
  close(): void;
}

/**
 * Connects to the embedded store without the driver, whose sessions, server selection, pools, and retries a store in the same
 * process does not need. They were a third of the main thread's time for a lone message.
 * @param silentMaxMs after this long without an answer, a command fails
 */
export function connectToStore(socketPath: string, silentMaxMs: number): StoreConnection {
  const open = new Set<Channel>();
  let free: Channel[] = [];
  let watch: NodeJS.Timeout | undefined;
  let isClosed = false;

  function openChannel(): Channel {
    const channel = new Channel(connect(socketPath), () => {
      open.delete(channel);
      free = free.filter((one) => one !== channel);
    });
    open.add(channel);
    return channel;
  }

  /** One timer for all commands: most are answered long before it fires. */
  function endSilent(): void {
    watch = undefined;
    const now = performance.now();
    for (const channel of open)
      if (channel.sentAt + silentMaxMs <= now) channel.end(new StoreConnectionError('The store does not answer.'));
    const oldest = Math.min(...[...open].map(({ sentAt }) => sentAt));
    if (oldest < Number.POSITIVE_INFINITY) watch = setTimeout(endSilent, oldest + silentMaxMs - now).unref();
  }

  return {
    async command<Result>(database: string, command: object) {
      if (isClosed) throw new StoreConnectionError('The connection to the store is closed.');
      const message = messageOf({ ...command, $db: database });
      const channel = free.pop() ?? openChannel();
      watch ??= setTimeout(endSilent, silentMaxMs).unref();
      const bytes = await channel.ask(message);
      free.push(channel);
      const answer = BSON.deserialize(bytes);
      if (answer.ok !== 1) throw new StoreRefusal(answer);
      return answer as Result;
    },
    close() {
      isClosed = true;
      clearTimeout(watch);
      for (const channel of open) channel.end(new StoreConnectionError('The connection to the store was closed.'));
    },
  };
}

/** A connection that carries one command at a time. */
class Channel {
  /** When the command under way was sent, by `performance.now`; infinite: there is none. */
  sentAt = Number.POSITIVE_INFINITY;
  private readonly socket: Socket;
  private readonly ended: () => void;
  private pending: { resolve: (answer: Buffer) => void; reject: (error: StoreConnectionError) => void } | undefined;
  private received: Buffer | undefined;

  /** @param ended called when it can carry no more commands */
  constructor(socket: Socket, ended: () => void) {
    this.socket = socket;
    this.ended = ended;
    socket.on('data', (chunk) => this.read(chunk));
    socket.on('error', ({ message }) => this.end(new StoreConnectionError(message)));
    socket.on('close', () => this.end(new StoreConnectionError('The store has closed the connection.')));
  }

  /** Sends a command. @returns the answer's document */
  ask(message: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.pending = { resolve, reject };
      this.sentAt = performance.now();
      this.socket.write(message);
    });
  }

  end(error: StoreConnectionError): void {
    this.socket.destroy();
    this.ended();
    this.takePending()?.reject(error);
  }

  private read(chunk: Buffer): void {
    const bytes = this.received ? Buffer.concat([this.received, chunk]) : chunk;
    this.received = bytes;
    if (bytes.length < HEAD_BYTES || bytes.length < bytes.readInt32LE(0)) return;
    this.received = undefined;
    this.takePending()?.resolve(bytes.subarray(HEAD_BYTES));
  }

  private takePending() {
    const { pending } = this;
    this.pending = undefined;
    this.sentAt = Number.POSITIVE_INFINITY;
    return pending;
  }
}

/** The bytes of a request; its number is 0, because a connection has no other request under way. */
function messageOf(command: object): Buffer {
  const body = BSON.serialize(command, { ignoreUndefined: true });
  const message = Buffer.alloc(HEAD_BYTES + body.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(OP_MSG, 12);
  message.set(body, HEAD_BYTES);
  return message;
}
