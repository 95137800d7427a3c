import { skipToken, useQuery } from '@tanstack/react-query';
import type { Claimer } from 'server/contract';
import { keys } from '../../../lib/query.ts';

const NOBODY: Claimer[] = [];

/** Who else has the chat open, as the socket told last. */
export function useViewers(chatId: string, userId: string): Claimer[] {
  const { data = NOBODY } = useQuery<Claimer[]>({ queryKey: keys.viewers(chatId), queryFn: skipToken });
  return data.filter(({ _id }) => _id !== userId);
}

/** Who is looking, as a sentence; null: nobody. */
export function lookingWords(viewers: readonly Claimer[]): string | null {
  const [first, second] = viewers;
  if (!first) return null;
  if (!second) return `${first.name} is looking at this`;
  if (viewers.length === 2) return `${first.name} and ${second.name} are looking at this`;
  return `${first.name} and ${viewers.length - 1} others are looking at this`;
}
