import { Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type SavedView, VIEW_NAME_MAX_LENGTH } from 'server/contract';
import type { Choices } from '#features/chats';
import { t } from '../../../lib/i18n.ts';
import { idsMoved } from '../../../shared/changeList.ts';
import { useAction } from '../../../shared/useAction.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { FormButtons } from '../../../ui/FormButtons.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Input } from '../../../ui/Input.tsx';
import { MoveButtons } from '../../../ui/MoveButtons.tsx';
import { filterToSave, useChangeViews } from './savedViews.ts';

interface SaveViewProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  choices: Choices;
}

/** Saves the list's filters under a name. */
export function SaveView({ open, onOpenChange, choices }: SaveViewProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('Save this view')}
      text={t('Only you see it. It keeps the filters and the order, and follows you to other devices.')}
    >
      <SaveForm choices={choices} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function SaveForm({ choices, onDone }: { choices: Choices; onDone: () => void }) {
  const [name, setName] = useState('');
  const changing = useChangeViews();
  const failure = t('The view could not be saved.');
  const add = useAction(changing, { success: t('View saved'), failure, onSuccess: onDone });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') void add({ do: 'add', name: name.trim(), filter: filterToSave(choices) });
  };
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-5 pt-4">
      <Field label={t('Name')}>
        <Input
          value={name}
          maxLength={VIEW_NAME_MAX_LENGTH}
          placeholder={t('Refunds without an agent')}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <FormButtons label={t('Save view')} disabled={name.trim() === ''} busy={changing.isPending} onCancel={onDone} />
    </form>
  );
}

interface ManageViewsProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  views: readonly SavedView[];
}

/** Renames, sorts and deletes the saved views. */
export function ManageViews({ open, onOpenChange, views }: ManageViewsProps) {
  const changing = useChangeViews();
  const change = useAction(changing, { failure: t('The views could not be changed.') });
  const move = (from: number, to: number) => void change({ do: 'order', ids: idsMoved(views, from, to) });
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('Manage views')}>
      {views.length === 0 ? (
        <p className="py-6 text-center text-muted">{t('No saved views are left.')}</p>
      ) : (
        <ul aria-label={t('Saved views')} className="flex flex-col gap-2 pt-4">
          {views.map((view, at) => (
            <li key={view._id} className="flex items-center gap-0.5">
              <ViewName view={view} onRename={(name) => void change({ do: 'replace', view: { ...view, name } })} />
              <MoveButtons
                name={view.name}
                onUp={at > 0 ? () => move(at, at - 1) : undefined}
                onDown={at < views.length - 1 ? () => move(at, at + 1) : undefined}
              />
              <IconButton
                label={t('Delete {name}', { name: view.name })}
                size="sm"
                tone="danger"
                onClick={() => void change({ do: 'remove', id: view._id })}
              >
                <Trash2 size={16} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className="flex justify-end pt-5">
        <Button variant="secondary" onClick={() => onOpenChange(false)}>
          {t('Done')}
        </Button>
      </div>
    </Dialog>
  );
}

/** The name as a field: Enter or leaving it renames the view, an empty name brings the old one back. */
function ViewName({ view, onRename }: { view: SavedView; onRename: (name: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const rename = () => {
    const name = typed?.trim();
    setTyped(null);
    if (name && name !== view.name) onRename(name);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    rename();
  };
  return (
    <form onSubmit={onSubmit} className="min-w-0 flex-1 pe-1">
      <Input
        aria-label={t('Name of {name}', { name: view.name })}
        value={typed ?? view.name}
        maxLength={VIEW_NAME_MAX_LENGTH}
        enterKeyHint="done"
        onChange={(event) => setTyped(event.target.value)}
        onBlur={rename}
        className="h-9!"
      />
    </form>
  );
}
