import { BookOpen, ExternalLink, History, type LucideIcon, Slash, X } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Suggestion, SuggestionKind } from 'server/contract';
import { msg, plural, t } from '../../lib/i18n.ts';
import { isMac } from '../../lib/keyboard.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import type { SuggestedAnswers } from './suggestedAnswers.ts';

const SOURCES: Record<SuggestionKind, { icon: LucideIcon; label: string }> = {
  reply: { icon: Slash, label: msg('Canned reply') },
  article: { icon: BookOpen, label: msg('Article') },
  pair: { icon: History, label: msg('Answered before') },
};

/** Suggested answers with their sources, above the field: in one line on a phone, where they scroll sideways. */
export function SuggestionStrip({ answers }: { answers: SuggestedAnswers }) {
  const { suggestions, insert, dismiss } = answers;
  return (
    <>
      <p role="status" className="sr-only">
        {suggestions.length > 0 && plural(suggestions.length, '{count} suggested answer', '{count} suggested answers')}
      </p>
      {suggestions.length > 0 && (
        <section aria-label={t('Suggested answers')} className="@container flex animate-fade items-center gap-1 pb-2">
          <ul className="flex min-w-0 flex-1 gap-2 overflow-x-auto overscroll-x-contain p-0.5 @2xl:grid @2xl:grid-cols-3">
            {suggestions.map((suggestion, at) => (
              <Card key={suggestion.id} suggestion={suggestion} place={at + 1} onInsert={() => insert(suggestion)} />
            ))}
          </ul>
          <IconButton label={t('Hide the suggestions')} size="sm" onClick={dismiss}>
            <X size={16} aria-hidden />
          </IconButton>
        </section>
      )}
    </>
  );
}

interface CardProps {
  suggestion: Suggestion;
  /** From 1, as its key. */
  place: number;
  onInsert: () => void;
}

function Card({ suggestion: { kind, title, text, url, chatId }, place, onInsert }: CardProps) {
  const { icon: Icon, label } = SOURCES[kind];
  return (
    <li className="flex w-60 shrink-0 items-center rounded-control border bg-background transition-colors focus-within:border-accent hover:border-accent sm:items-start @2xl:w-auto @2xl:min-w-0">
      <button
        type="button"
        onClick={onInsert}
        aria-keyshortcuts={['Alt', place].join('+')}
        className="flex min-w-0 flex-1 items-center gap-2 rounded-control px-2.5 py-2 text-start sm:block sm:py-1.5"
      >
        <span className="flex shrink-0 items-center gap-1.5 text-xs text-muted">
          <Icon size={14} aria-hidden className="shrink-0" />
          <span className="truncate max-sm:sr-only">{t(label)}</span>
          <kbd aria-hidden className="ms-auto shrink-0 font-sans max-sm:hidden">
            {[isMac() ? '⌥' : 'Alt', place].join(' ')}
          </kbd>
        </span>
        <span dir="auto" title={kind === 'pair' ? title : undefined} className="block truncate text-sm sm:pt-0.5">
          {kind === 'article' ? title : text}
        </span>
      </button>
      {kind === 'pair' && chatId && (
        <SourceLink to={`/dashboard/inbox?chat=${chatId}`} label={t('Open the chat where it was answered')} />
      )}
      {kind === 'article' && url && <SourceLink to={url} label={t('Open the article')} />}
    </li>
  );
}

function SourceLink({ to, label }: { to: string; label: string }) {
  const icon = <ExternalLink size={14} aria-hidden className="rtl:-scale-x-100" />;
  return (
    <IconButton asChild label={label} size="sm">
      {to.startsWith('/dashboard/') ? (
        <Link to={to}>{icon}</Link>
      ) : (
        <a href={to} target="_blank" rel="noreferrer">
          {icon}
        </a>
      )}
    </IconButton>
  );
}
