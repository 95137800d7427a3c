import type { ExportMessage, Piece } from './pieces.ts';

/** Characters that a thread sets before it is asked again: some scripts take a tenth of a millisecond for each. */
const LENGTH_MAX = 20_000;

/** Cuts pieces so that every one takes its thread about as long at most, however long their messages are. */
export async function* portions(batches: AsyncIterable<Piece[]>): AsyncGenerator<Piece[]> {
  for await (const batch of batches) {
    let portion: Piece[] = [];
    let length = 0;
    for (const piece of batch.flatMap(cut)) {
      const more = lengthOf(piece.messages);
      if (portion.length > 0 && length + more > LENGTH_MAX) {
        yield portion;
        portion = [];
        length = 0;
      }
      portion.push(piece);
      length += more;
    }
    yield portion;
  }
}

/** A piece as several, where it is long: the first of them has the head. */
function cut({ chat, messages }: Piece): Piece[] {
  const cuts: Piece[] = [{ chat, messages: [] }];
  let length = 0;
  for (const message of messages) {
    length += message.text.length;
    if (length > LENGTH_MAX) {
      cuts.push({ chat: null, messages: [] });
      length = message.text.length;
    }
    cuts.at(-1)?.messages.push(message);
  }
  return cuts;
}

function lengthOf(messages: ExportMessage[]): number {
  return messages.reduce((sum, { text }) => sum + text.length, 0);
}
