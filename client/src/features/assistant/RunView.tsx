import type { ReactNode } from 'react';
import type { AnswerSource, AssistantRun } from 'server/contract';
import { formatCount } from '../../lib/format.ts';
import { facts, listed, plural, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { REASONS } from './words.ts';

const SECOND_MS = 1_000;
const ROLES = { system: 'system', user: 'user', assistant: 'assistant' };

/** What the assistant did with one question: the answer or why there is none, what it was made of, and what it cost. */
export function RunView({ run, sources = [] }: { run: AssistantRun; sources?: readonly AnswerSource[] }) {
  const { question, outcome, reason, detail, answer, words, passages, sent, model, tokens, ms } = run;
  return (
    <article aria-label={question} className="flex flex-col gap-3 rounded-card border bg-surface p-4">
      <p dir="auto" className="font-medium wrap-anywhere">
        {question}
      </p>
      {outcome === 'answered' ? (
        <p dir="auto" className="rounded-bubble bg-accent-soft px-3.5 py-2 wrap-anywhere whitespace-pre-wrap">
          {answer}
        </p>
      ) : (
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone="waiting">{t('Handed to a person')}</Badge>
          {reason && t(REASONS[reason])}
        </p>
      )}
      {detail && (
        <p dir="auto" className="text-muted wrap-anywhere">
          {detail}
        </p>
      )}
      <dl className="flex flex-col gap-2">
        {sources.length > 0 && (
          <Fact name={t('Sources')}>
            <LinkedArticles articles={sources} />
          </Fact>
        )}
        {words.length > 0 && <Fact name={t('Searched for')}>{listed(words)}</Fact>}
        {passages.length > 0 && (
          <Fact name={t('Passages sent')}>
            <LinkedArticles articles={passages} />
          </Fact>
        )}
      </dl>
      <p className="text-xs text-muted tabular-nums">
        {facts(
          model,
          plural(tokens, '{count} token', '{count} tokens'),
          t('{seconds} s', { seconds: formatCount(Math.round(ms / (SECOND_MS / 10)) / 10) }),
        )}
      </p>
      {sent.length > 0 && <Sent messages={sent} />}
    </article>
  );
}

/** The exact messages, which are English and long: closed until somebody wants them. */
function Sent({ messages }: { messages: AssistantRun['sent'] }) {
  return (
    <details>
      <summary className="cursor-pointer font-medium">{t('The exact messages')}</summary>
      <ol className="flex flex-col gap-2 pt-2">
        {messages.map(({ role, content }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index}>
            <p className="text-xs text-muted">{ROLES[role]}</p>
            <pre
              dir="auto"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys
              tabIndex={0}
              className="max-h-72 overflow-auto rounded-control bg-background px-3 py-2 text-xs whitespace-pre-wrap wrap-anywhere"
            >
              {content}
            </pre>
          </li>
        ))}
      </ol>
    </details>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}

/** Articles by their titles, the best first; each opens in the dashboard. */
export function LinkedArticles({ articles }: { articles: readonly AnswerSource[] }) {
  return (
    <ol className="flex list-inside list-decimal flex-col gap-0.5 text-muted">
      {articles.map(({ article, lang, title }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several passages may be of one article
        <li key={index}>
          <a
            href={paths.article(article)}
            target="_blank"
            rel="noopener"
            lang={lang}
            className="text-accent-strong underline-offset-2 hover:underline"
          >
            <bdi>{title}</bdi>
          </a>
        </li>
      ))}
    </ol>
  );
}
