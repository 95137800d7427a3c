import { chatHeading } from './heading.ts';
import { type ChatOfSite, type Piece, piecesOf } from './pieces.ts';
import { writeText } from './text.ts';

/** A chat as plain text for its visitor, as a mail carries it: without the tags, which are the team's own. */
export async function transcript(of: ChatOfSite, timeZone = 'UTC'): Promise<string> {
  async function* forVisitor(): AsyncGenerator<Piece[]> {
    for await (const batch of piecesOf(of))
      yield batch.map(({ chat, messages }) => ({ chat: chat && { ...chat, tags: [] }, messages }));
  }
  let text = '';
  for await (const part of writeText(chatHeading(of.site.name, timeZone), forVisitor())) text += part;
  return text;
}
