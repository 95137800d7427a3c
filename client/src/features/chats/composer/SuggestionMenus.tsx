import { Paperclip, Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../../../lib/cx.ts';
import { truncate } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import type { ArticleMenuState } from './articleMenu.ts';
import type { CannedReplyState } from './cannedReplyMenu.ts';
import type { MentionState } from './mentionMenu.ts';

const PREVIEW_LENGTH = 120;

/** What is above the field while a '/' or an '@' is typed. */
function Menu({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-x-3 bottom-full z-10 mb-1 max-h-72 animate-enter overflow-y-auto rounded-card border bg-raised p-1 shadow-float sm:inset-x-4">
      {children}
    </div>
  );
}

/** The teammates whom a note may mention. */
export function MentionMenu({
  id,
  mention: { isOpen, options, active, choose },
}: {
  id: string;
  mention: MentionState;
}) {
  if (!isOpen) return null;
  return (
    <Menu>
      <div id={id} role="listbox" aria-label={t('Teammates')}>
        {options.map(({ _id, name, email }, index) => (
          <Option key={_id} id={`${id}-${index}`} isActive={index === active} onChoose={() => choose(index)}>
            <Avatar name={name} size="sm" />
            <span dir="auto" className="min-w-0 truncate leading-6 font-medium">
              {name}
            </span>
            <span className="min-w-0 flex-1 truncate text-end leading-6 text-muted">
              <bdi className="address">{email}</bdi>
            </span>
          </Option>
        ))}
      </div>
    </Menu>
  );
}

/** The menu above the field. A listbox whose focus stays in the field, as `aria-activedescendant` wants it. */
export function CannedReplyMenu({ id, canned }: { id: string; canned: CannedReplyState }) {
  const { state, options, active, choose, retry } = canned;
  if (state === 'closed') return null;
  return (
    <Menu>
      {state === 'loading' && <p className="px-3 py-2 text-muted">{t('Loading canned replies…')}</p>}
      {state === 'failed' && <Failed text={t('The canned replies could not be loaded.')} onRetry={retry} />}
      {state === 'open' && (
        <div id={id} role="listbox" aria-label={t('Canned replies')}>
          {options.map(({ _id, shortcut, content, personal, files }, index) => (
            <Option key={_id} id={`${id}-${index}`} isActive={index === active} onChoose={() => choose(index)}>
              <bdi className="shrink-0 font-medium">/{shortcut}</bdi>
              <span dir="auto" className="min-w-0 flex-1 truncate text-muted">
                {truncate(content, PREVIEW_LENGTH)}
              </span>
              {files.length > 0 && (
                <Paperclip size={14} role="img" aria-label={t('With files')} className="mt-0.75 shrink-0" />
              )}
              {personal && <Badge>{t('Only you')}</Badge>}
            </Option>
          ))}
          <Option
            id={`${id}-${options.length}`}
            isActive={active === options.length}
            onChoose={() => choose(options.length)}
          >
            <Pencil size={14} aria-hidden className="mt-0.75 shrink-0" />
            <span>{t('Manage canned replies')}</span>
          </Option>
        </div>
      )}
    </Menu>
  );
}

/** The articles whose links '//' inserts. */
export function ArticleMenu({ id, articles }: { id: string; articles: ArticleMenuState }) {
  const { state, options, active, choose, retry } = articles;
  if (state === 'closed') return null;
  return (
    <Menu>
      {state === 'hint' && <p className="px-3 py-2 text-muted">{t('Type words to find a help article.')}</p>}
      {state === 'loading' && <p className="px-3 py-2 text-muted">{t('Looking for articles…')}</p>}
      {state === 'failed' && <Failed text={t('The articles could not be loaded.')} onRetry={retry} />}
      {state === 'open' && (
        <div id={id} role="listbox" aria-label={t('Help articles')}>
          {options.map(({ _id, lang, title, excerpt }, index) => (
            <Option
              key={`${_id} ${lang}`}
              id={`${id}-${index}`}
              isActive={index === active}
              onChoose={() => choose(index)}
            >
              <span dir="auto" className="min-w-0 flex-1 truncate">
                <span className="font-medium">{title}</span> <span className="text-muted">{excerpt}</span>
              </span>
            </Option>
          ))}
        </div>
      )}
    </Menu>
  );
}

function Failed({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <p role="alert" className="flex items-center justify-between gap-2 px-3 py-1 text-danger">
      {text}
      <Button variant="secondary" size="sm" onClick={onRetry}>
        {t('Try again')}
      </Button>
    </p>
  );
}

interface OptionProps {
  id: string;
  isActive: boolean;
  onChoose: () => void;
  children: ReactNode;
}

function Option({ id, isActive, onChoose, children }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      // A press must not take the focus from the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      ref={(option) => {
        if (isActive) option?.scrollIntoView({ block: 'nearest' });
      }}
      className={cx('flex cursor-pointer items-start gap-2.5 rounded-control px-3 py-2', isActive && 'bg-accent-soft')}
    >
      {children}
    </div>
  );
}
