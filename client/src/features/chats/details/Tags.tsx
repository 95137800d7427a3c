import { useQueryClient } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type Chat, can, type Site, TAG_MAX_LENGTH, TAGS_MAX } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { Input } from '../../../ui/Input.tsx';
import { useChangeTag } from '../actions/api.ts';
import { cachedChats } from '../live/cache.ts';

const SUGGESTIONS_MAX = 6;

/** The tags of a chat, with a field to add one where the user may answer. */
export function Tags({ chat, site }: { chat: Chat; site: Site | undefined }) {
  const changeTag = useChangeTag();
  const mayTag = site !== undefined && can(site, 'chats.reply');
  if (!mayTag && chat.tags.length === 0) return null;
  return (
    <section aria-label={t('Tags')} className="flex flex-col gap-2 border-b px-5 py-5">
      <h3 className="text-xs text-muted">{t('Tags')}</h3>
      {chat.tags.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {chat.tags.map((tag) => (
            <li
              key={tag}
              className="inline-flex h-6 max-w-full items-center rounded-full bg-accent-soft ps-2.5 text-xs font-medium text-accent-strong last:me-0"
            >
              <span
                dir="auto"
                className="truncate pr-2.5 has-[+button]:pr-0 rtl:pr-0 rtl:pl-2.5 rtl:has-[+button]:pl-0"
              >
                {tag}
              </span>
              {mayTag && (
                <button
                  type="button"
                  aria-label={t('Remove the tag {tag}', { tag })}
                  onClick={() => changeTag(chat, { tag, isAdded: false })}
                  className="inline-flex size-6 shrink-0 items-center justify-center rounded-full hover:bg-text/8"
                >
                  <X size={12} aria-hidden />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayTag && chat.tags.length < TAGS_MAX && (
        <AddTag chat={chat} onAdd={(tag) => changeTag(chat, { tag, isAdded: true })} />
      )}
    </section>
  );
}

function AddTag({ chat, onAdd }: { chat: Chat; onAdd: (tag: string) => void }) {
  const [typed, setTyped] = useState('');
  const known = useKnownTags();
  const tag = typed.trim().replace(/\s+/g, ' ').toLowerCase();
  const isTooLong = [...tag].length > TAG_MAX_LENGTH;
  const suggestions = known
    .filter((each) => !chat.tags.includes(each) && each !== tag && each.includes(tag))
    .slice(0, SUGGESTIONS_MAX);
  const add = (added: string) => {
    setTyped('');
    if (added !== '' && !chat.tags.includes(added)) onAdd(added);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isTooLong) add(tag);
  };
  return (
    <form onSubmit={onSubmit} className="group flex flex-col gap-2">
      <Input
        aria-label={t('Add a tag')}
        placeholder={t('Add a tag')}
        value={typed}
        aria-invalid={isTooLong}
        enterKeyHint="done"
        onChange={(event) => setTyped(event.target.value)}
        className="h-8! sm:text-[13px]!"
      />
      {isTooLong && (
        <p role="alert" className="text-xs text-danger">
          {t('A tag can have up to {max} characters', { max: TAG_MAX_LENGTH })}
        </p>
      )}
      {suggestions.length > 0 && (
        <ul aria-label={t('Suggested tags')} className="hidden flex-wrap gap-1.5 group-focus-within:flex">
          {suggestions.map((each) => (
            <li key={each} className="max-w-full">
              <button
                type="button"
                onClick={() => add(each)}
                className="inline-flex h-6 max-w-full items-center gap-1 rounded-full border px-2 text-xs text-muted hover:bg-text/5 hover:text-text"
              >
                <Plus size={12} aria-hidden className="shrink-0" />
                <span dir="auto" className="truncate">
                  {each}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}

/** The tags of all chats in the cache, the most frequent first. */
function useKnownTags(): string[] {
  const client = useQueryClient();
  const counts = new Map<string, number>();
  for (const tag of cachedChats(client).flatMap(({ tags }) => tags)) {
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].sort(([a, left], [b, right]) => right - left || a.localeCompare(b)).map(([tag]) => tag);
}
