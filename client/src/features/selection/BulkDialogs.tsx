import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type Chat, TAG_MAX_LENGTH } from 'server/contract';
import { useTags } from '#features/chats';
import { DepartmentButtons } from '#features/departments';
import { repliersOf, Teammates, useEverybody } from '#features/team';
import { plural, t } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormButtons } from '../../ui/FormButtons.tsx';
import { Input } from '../../ui/Input.tsx';
import type { NamedChange } from './bulk.ts';

const SUGGESTIONS_MAX = 8;

interface BulkDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  chosen: readonly Chat[];
  onChange: (change: NamedChange, chats: readonly Chat[]) => void;
}

const openOf = (chats: readonly Chat[]) => chats.filter(({ status }) => status !== 'closed');
const sitesOf = (chats: readonly Chat[]) => [...new Set(chats.map(({ site }) => site._id))];

/** Asks before several chats are closed, and says whom it concerns. */
export function CloseChats({ open, onOpenChange, chosen, onChange }: BulkDialogProps) {
  const chats = openOf(chosen);
  const waiting = chats.filter(({ waitingSince, assistant }) => waitingSince !== null && !assistant?.active).length;
  const closed = chosen.length - chats.length;
  const sentences = [
    waiting > 0 && plural(waiting, '{count} visitor waits for an answer.', '{count} visitors wait for an answer.'),
    closed > 0 &&
      plural(
        closed,
        '{count} chat of the selection is closed already.',
        '{count} chats of the selection are closed already.',
      ),
    t('Each visitor is told. You can undo it.'),
  ];
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={plural(chats.length, 'Close {count} chat?', 'Close {count} chats?')}
      text={sentences.filter(Boolean).join(' ')}
      confirmLabel={plural(chats.length, 'Close {count} chat', 'Close {count} chats')}
      tone="primary"
      onConfirm={() => onChange({ action: 'close' }, chats)}
    />
  );
}

/** Adds a tag to chats, or takes one off. */
export function TagChats(props: BulkDialogProps) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title={plural(props.chosen.length, 'Tag {count} chat', 'Tag {count} chats')}
    >
      <TagForm {...props} />
    </Dialog>
  );
}

function TagForm({ chosen, onChange, onOpenChange }: BulkDialogProps) {
  const [typed, setTyped] = useState('');
  const sites = sitesOf(chosen);
  const known = useTags(sites.length === 1 ? (sites[0] ?? null) : null).data ?? [];
  const tag = typed.trim().replace(/\s+/g, ' ').toLowerCase();
  const isTooLong = [...tag].length > TAG_MAX_LENGTH;
  const present = [...new Set(chosen.flatMap(({ tags }) => tags))].sort();
  const lacking = known.filter((each) => each.includes(tag) && !chosen.every(({ tags }) => tags.includes(each)));
  const add = (added: string) => onChange({ action: 'tag', tag: added }, chosen);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (tag !== '' && !isTooLong) add(tag);
  };
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4 pt-4">
      <div>
        <Input
          aria-label={t('Add a tag')}
          placeholder={t('Add a tag')}
          value={typed}
          aria-invalid={isTooLong}
          enterKeyHint="done"
          onChange={(event) => setTyped(event.target.value)}
        />
        {isTooLong && (
          <p role="alert" className="pt-1.5 text-xs text-danger">
            {t('A tag can have up to {max} characters', { max: TAG_MAX_LENGTH })}
          </p>
        )}
      </div>
      {lacking.length > 0 && (
        <TagList label={t('Suggested tags')} tags={lacking.slice(0, SUGGESTIONS_MAX)} onChoose={add} />
      )}
      {present.length > 0 && (
        <TagList
          label={t('Remove a tag')}
          tags={present}
          isRemoval
          onChoose={(removed) => onChange({ action: 'untag', tag: removed }, withTag(chosen, removed))}
        />
      )}
      <FormButtons label={t('Add tag')} disabled={tag === '' || isTooLong} onCancel={() => onOpenChange(false)} />
    </form>
  );
}

const withTag = (chats: readonly Chat[], tag: string) => chats.filter(({ tags }) => tags.includes(tag));

interface TagListProps {
  label: string;
  tags: readonly string[];
  isRemoval?: boolean;
  onChoose: (tag: string) => void;
}

function TagList({ label, tags, isRemoval = false, onChoose }: TagListProps) {
  return (
    <div>
      <h3 className="pb-1.5 text-xs text-muted">{label}</h3>
      <ul aria-label={label} className="flex max-h-32 flex-wrap gap-1.5 overflow-y-auto p-0.5">
        {tags.map((tag) => (
          <li key={tag} className="max-w-full">
            <button
              type="button"
              aria-label={isRemoval ? t('Remove the tag {tag}', { tag }) : undefined}
              onClick={() => onChoose(tag)}
              className="inline-flex h-7 max-w-full items-center gap-1 rounded-full border px-2.5 text-xs hover:bg-text/5 pointer-coarse:h-9"
            >
              <span dir="auto" className="truncate">
                {tag}
              </span>
              {isRemoval && <X size={12} aria-hidden className="shrink-0" />}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface AssignProps extends BulkDialogProps {
  userId: string;
}

/** Assigns the open ones of these chats to a person who may answer all of them. */
export function AssignChats(props: AssignProps) {
  const chats = openOf(props.chosen);
  const sites = sitesOf(chats).length;
  const closed = props.chosen.length - chats.length;
  const sentences = [
    closed > 0 &&
      plural(
        closed,
        '{count} chat of the selection is closed and will stay so.',
        '{count} chats of the selection are closed and will stay so.',
      ),
    sites > 1 &&
      plural(
        sites,
        'They belong to {count} website, so only people who can answer on all of them are listed.',
        'They belong to {count} websites, so only people who can answer on all of them are listed.',
      ),
  ];
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title={plural(chats.length, 'Assign {count} chat', 'Assign {count} chats')}
      text={sentences.filter(Boolean).join(' ')}
    >
      <Assignees {...props} chosen={chats} />
    </Dialog>
  );
}

function Assignees({ chosen, userId, onChange, onOpenChange }: AssignProps) {
  const everybody = useEverybody();
  const sites = sitesOf(chosen);
  return (
    <>
      <DepartmentButtons
        sites={sites}
        onChoose={({ _id, name }) => onChange({ action: 'department', department: _id, name }, chosen)}
      />
      <Teammates
        candidates={everybody.data && repliersOf(everybody.data, sites)}
        isError={everybody.isError}
        onRetry={() => void everybody.refetch()}
        nobody={
          sites.length > 1
            ? t('Nobody can answer on all of these websites. Select chats of one website.')
            : t('Nobody on the team can answer chats.')
        }
        userId={userId}
        queue={chosen.some(({ claimedBy }) => claimedBy !== null)}
        onChoose={(to) => onChange({ action: 'transfer', userId: to?._id ?? null, name: to?.name ?? '' }, chosen)}
        onCancel={() => onOpenChange(false)}
      />
    </>
  );
}
