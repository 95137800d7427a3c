import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection to a port of SMTP or LMTP, as a mail server has it, or somebody who means no good. */
export interface MailLine {
  greeting: string;
  /** Writes this and the end of its line. @returns so many answers, each of one or several lines */
  say(text: string, answers?: number): Promise<string>;
  /** Resolves when the other side has ended it. */
  ended: Promise<unknown>;
}

const open = new Set<Socket>();

/** Connects, and waits for the greeting. @param early what is said before it */
export async function talkTo(port: number, early = ''): Promise<MailLine> {
  const socket = connect(port, '127.0.0.1');
  open.add(socket);
  // Whoever is refused may be cut off while writing.
  socket.on('error', () => {});
  const ended = once(socket, 'close');
  let read = '';
  let isOver = false;
  let wake = () => {};
  socket.setEncoding('utf8').on('data', (text: string) => {
    read += text;
    wake();
  });
  void ended.then(() => {
    isOver = true;
    wake();
  });
  socket.write(early);

  /** Waits for so many last lines of answers (`250 …`), or the end. */
  async function answers(count: number): Promise<string> {
    const isThere = () => (read.match(/^\d{3} .*\r\n/gm) ?? []).length >= count;
    while (!isThere() && !isOver)
      await new Promise<void>((done) => {
        wake = done;
      });
    const said = read.trimEnd();
    read = '';
    return said;
  }

  return {
    greeting: await answers(1),
    say(text, count = 1) {
      socket.write(`${text}\r\n`, 'latin1');
      return answers(count);
    },
    ended,
  };
}

/** Ends all connections. */
export async function hangUpMail(): Promise<void> {
  for (const socket of open) socket.destroy();
  open.clear();
}
