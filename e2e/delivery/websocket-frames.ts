import { randomBytes } from 'node:crypto';

const TEXT = 1;
const CLOSE = 8;
const FINAL = 0x80;
const MASKED = 0x80;
const MASK_BYTES = 4;
/** Up to this length it stands in the second byte; else two or eight bytes follow. */
const SHORT_MAX = 125;
const MIDDLE = 126;
const MIDDLE_MAX = 0xffff;

/** A text message as clients must send it (RFC 6455, 5.2): one masked frame. */
export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = randomBytes(MASK_BYTES);
  for (let i = 0; i < payload.length; i++) payload[i] = (payload[i] ?? 0) ^ (mask[i % MASK_BYTES] ?? 0);
  return Buffer.concat([head(payload.length), mask, payload]);
}

function head(length: number): Buffer {
  if (length <= SHORT_MAX) return Buffer.from([FINAL | TEXT, MASKED | length]);
  const long = Buffer.alloc(length <= MIDDLE_MAX ? 4 : 10);
  long[0] = FINAL | TEXT;
  if (length <= MIDDLE_MAX) {
    long[1] = MASKED | MIDDLE;
    long.writeUInt16BE(length, 2);
  } else {
    long[1] = MASKED | (MIDDLE + 1);
    long.writeBigUInt64BE(BigInt(length), 2);
  }
  return long;
}

/** Parses a server's bytes into text messages. @param closed is called for a close frame */
export function createReader(hear: (text: string) => void, closed: () => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);

  /** Reads one frame. @returns false if it is not complete yet */
  function readOne(): boolean {
    const short = (rest[1] ?? 0) & ~MASKED;
    const start = short <= SHORT_MAX ? 2 : short === MIDDLE ? 4 : 10;
    if (rest.length < start) return false;
    const length = start === 2 ? short : start === 4 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
    if (rest.length < start + length) return false;
    const code = (rest[0] ?? 0) & ~FINAL;
    const payload = rest.toString('utf8', start, start + length);
    rest = rest.subarray(start + length);
    if (code === TEXT) hear(payload);
    if (code === CLOSE) closed();
    return true;
  }

  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 2 && readOne());
  };
}
