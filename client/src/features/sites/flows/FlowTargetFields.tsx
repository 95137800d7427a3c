import { FLOW_LEVELS_MAX, FLOW_QUESTION_MAX_LENGTH, FLOW_URL_MAX_LENGTH, type FlowTarget } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { paths } from '../../../lib/paths.ts';
import { rich } from '../../../lib/rich.ts';
import { translated } from '../../../shared/translated.ts';
import { Field } from '../../../ui/Field.tsx';
import { Input } from '../../../ui/Input.tsx';
import { linkTo } from '../../../ui/linkTo.tsx';
import { Select } from '../../../ui/Select.tsx';
import { type FlowTargets, KINDS } from './flowTargets.ts';

interface FlowTargetFieldsProps {
  target: FlowTarget;
  /** From 1. */
  depth: number;
  targets: FlowTargets;
  /** What is wrong with the target. */
  error: string | undefined;
  onKind: (kind: FlowTarget['kind']) => void;
  onChange: (target: FlowTarget) => void;
}

/** Where a button leads: the kind of place, and which one. */
export function FlowTargetFields({ target, depth, targets, error, onKind, onChange }: FlowTargetFieldsProps) {
  const isLast = depth >= FLOW_LEVELS_MAX;
  const kinds = KINDS.filter(({ value }) => {
    if (value === target.kind) return true;
    if (value === 'question') return !isLast;
    return value !== 'department' || (targets.departments ?? []).length > 0;
  });
  const hint = isLast ? t('Buttons can have up to {max} levels', { max: FLOW_LEVELS_MAX }) : undefined;
  return (
    <>
      <Field label={t('Leads to')} hint={hint}>
        <Select value={target.kind} onValueChange={onKind} options={translated(kinds)} />
      </Field>
      <Which target={target} targets={targets} error={error} onChange={onChange} />
    </>
  );
}

type WhichProps = Pick<FlowTargetFieldsProps, 'target' | 'targets' | 'error' | 'onChange'>;

function Which({ target, targets, error, onChange }: WhichProps) {
  switch (target.kind) {
    case 'article':
      return <ArticleField article={target.article} {...{ targets, error, onChange }} />;
    case 'department':
      return (
        <Field label={t('Department')} error={error}>
          <Select
            value={target.department}
            onValueChange={(department) => onChange({ kind: 'department', department })}
            placeholder={t('Choose a department')}
            options={(targets.departments ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
          />
        </Field>
      );
    case 'link':
      return (
        <Field label={t('Address')} hint={t('A page, or an address such as mailto: or tel:.')} error={error}>
          <Input
            inputMode="url"
            value={target.url}
            maxLength={FLOW_URL_MAX_LENGTH}
            autoComplete="off"
            placeholder="https://example.com/returns"
            onChange={({ target: { value } }) => onChange({ kind: 'link', url: value })}
          />
        </Field>
      );
    case 'question':
      return (
        <Field label={t('Question')} hint={t('Stands above the buttons that follow.')} error={error}>
          <Input
            dir="auto"
            value={target.question}
            maxLength={FLOW_QUESTION_MAX_LENGTH}
            placeholder={t('When did you order?')}
            onChange={({ target: { value } }) => onChange({ ...target, question: value })}
          />
        </Field>
      );
    default:
      return null;
  }
}

function ArticleField({ article, targets, error, onChange }: Omit<WhichProps, 'target'> & { article: string }) {
  const published = (targets.articles ?? []).filter(({ _id, status }) => status === 'published' || _id === article);
  if (targets.articles && published.length === 0)
    return (
      <p className={error ? 'text-danger' : 'text-muted'}>
        {rich('No article is published yet. <link>Write one</link>', { link: linkTo(paths.help) })}
      </p>
    );
  return (
    <Field label={t('Article')} error={error}>
      <Select
        value={article}
        onValueChange={(value) => onChange({ kind: 'article', article: value })}
        placeholder={t('Choose an article')}
        options={published.map(({ _id, title }) => ({ value: _id, label: title }))}
      />
    </Field>
  );
}
