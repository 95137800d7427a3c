import { useQuery } from '@tanstack/react-query';
import { can, type DraftBody, type DraftEvent, type Site } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { API_URL, ApiError, bearerHeader, networkError, refusedError } from '../../../lib/http.ts';
import { localeTag } from '../../../lib/i18n.ts';
import { readJson } from '../../../lib/json.ts';
import { keys } from '../../../lib/query.ts';
import { token } from '../../../lib/token.ts';

/** It changes rarely, and the server has the last word. */
const SETTINGS_FRESH_MS = 5 * 60_000;

/** Whether the model writes for the user on this website. */
export function useCanWrite(site: Site | undefined): boolean {
  const mayReply = site !== undefined && can(site, 'chats.reply');
  const { data } = useQuery({
    queryKey: keys.assistant(site?._id ?? ''),
    queryFn: ({ signal }) => call('GET /sites/:id/assistant', { params: { id: site?._id ?? '' }, signal }),
    enabled: mayReply,
    staleTime: SETTINGS_FRESH_MS,
  });
  return mayReply && data?.hasModel === true && data.assistant.step !== 'links';
}

interface StreamOptions {
  signal: AbortSignal;
  /** Hears what the model writes, piece by piece. */
  onText: (piece: string) => void;
}

/**
 * Lets the model write something about a chat, in the language of the dashboard where that matters.
 * @throws ApiError for every failure; one's own abort rejects with the signal's reason
 */
export async function streamDraft(
  chatId: string,
  wish: Omit<DraftBody, 'language'>,
  { signal, onText }: StreamOptions,
): Promise<void> {
  const bearer = token.get();
  const answer = await fetch(`${API_URL}/chats/${chatId}/draft`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...bearerHeader(bearer) },
    body: JSON.stringify({ ...wish, language: localeTag() }),
    signal,
  }).catch((error) => {
    throw signal.aborted ? error : networkError();
  });
  if (!answer.ok) throw refusedError('POST /chats/:id/draft', bearer, answer.status, readJson(await answer.text()));
  for await (const event of eventsOf(answer, signal)) {
    if ('text' in event) onText(event.text);
    else if ('failure' in event) throw new ApiError(502, event.failure);
    else return;
  }
  throw networkError();
}

/** The events of an answer as they come. Safari cannot iterate over a stream, so it is read by hand. */
async function* eventsOf({ body }: Response, signal: AbortSignal): AsyncGenerator<DraftEvent> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const read = await reader?.read().catch((error) => {
      throw signal.aborted ? error : networkError();
    });
    if (!read || read.done) return;
    const blocks = (rest + decoder.decode(read.value, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks)
      if (block.startsWith('data: ')) yield readJson(block.slice('data: '.length)) as DraftEvent;
  }
}
