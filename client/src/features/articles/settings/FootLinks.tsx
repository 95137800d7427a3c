import { Plus, X } from 'lucide-react';
import { useFormContext } from 'react-hook-form';
import { HELP_LINK_LABEL_MAX_LENGTH, HELP_LINKS_MAX, type HelpCenter } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Input } from '../../../ui/Input.tsx';
import { type HelpValues, LABELS } from './helpForm.ts';

type Link = HelpCenter['links'][number];

/** The links at the foot of the public pages, such as an imprint. */
export function FootLinks() {
  const { watch, setValue, formState } = useFormContext<HelpValues>();
  const links = watch('links');
  const write = (next: Link[]) => setValue('links', next, { shouldDirty: true });
  const change = (at: number, part: Partial<Link>) =>
    write(links.map((link, index) => (index === at ? { ...link, ...part } : link)));
  const problem = formState.errors.links?.message;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1 font-medium">{t(LABELS.links)}</legend>
      <p className="text-xs text-muted">{t('Such as an imprint or a privacy notice, with https.')}</p>
      {links.map(({ label, url }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are controlled, and two may be empty
        <div key={at} className="flex items-center gap-2">
          <Input
            aria-label={t('Text of link {number}', { number: at + 1 })}
            placeholder={t('Imprint')}
            maxLength={HELP_LINK_LABEL_MAX_LENGTH}
            value={label}
            onChange={({ target }) => change(at, { label: target.value })}
          />
          <Input
            aria-label={t('Address of link {number}', { number: at + 1 })}
            dir="ltr"
            placeholder="https://oak.example/imprint"
            inputMode="url"
            value={url}
            onChange={({ target }) => change(at, { url: target.value })}
          />
          <IconButton
            label={t('Remove link {number}', { number: at + 1 })}
            size="sm"
            onClick={() => write(links.toSpliced(at, 1))}
          >
            <X size={16} aria-hidden />
          </IconButton>
        </div>
      ))}
      {problem && (
        <p role="alert" className="text-xs font-medium text-danger">
          {problem}
        </p>
      )}
      {links.length < HELP_LINKS_MAX && (
        <Button
          variant="ghost"
          size="sm"
          className="self-start"
          onClick={() => write([...links, { label: '', url: '' }])}
        >
          <Plus size={16} aria-hidden />
          {t('Add a link')}
        </Button>
      )}
    </fieldset>
  );
}
