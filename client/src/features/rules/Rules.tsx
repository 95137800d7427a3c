import { Plus } from 'lucide-react';
import { useState } from 'react';
import { RULES_MAX, type Rule, type Site } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { idsMoved } from '../../shared/changeList.ts';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { SidePanel } from '../../ui/Dialog.tsx';
import { ListSection } from '../../ui/ListSection.tsx';
import { useChangeRules, useRules } from './api.ts';
import { EXAMPLES, NEW_RULE } from './examples.ts';
import { RuleForm } from './RuleForm.tsx';
import { LOG_HEADING, RuleLog } from './RuleLog.tsx';
import { RuleRow } from './RuleRow.tsx';
import { useTargets } from './targets.ts';
import type { RuleValues } from './words.ts';

/** What is in the form. `rule`: the one that is changed. */
interface Editing {
  rule?: Rule;
  values: RuleValues;
}

/** The rules of a site, and what they did. */
export function Rules({ site }: { site: Site }) {
  const list = useRules(site._id);
  const targets = useTargets(site);
  const changing = useChangeRules(site._id);
  const order = useAction(changing, { failure: t('The order could not be changed.') });
  const [editing, setEditing] = useState<Editing | null>(null);
  const [logged, setLogged] = useState('');
  const showLog = (rule: string) => {
    setLogged(rule);
    document.getElementById(LOG_HEADING)?.scrollIntoView({ block: 'start' });
  };
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <ListSection
        id="rules"
        title={t('Rules')}
        text={t('Rules do by themselves what you would do with a chat each time. They apply in this order.')}
        list={list}
        loading={t('Loading rules')}
        failure={t('The rules could not be loaded.')}
        full={t('A website can have up to {max} rules. Delete one to add another.', { max: RULES_MAX })}
        max={RULES_MAX}
        add={
          <Button variant="secondary" onClick={() => setEditing({ values: NEW_RULE })}>
            <Plus size={18} aria-hidden />
            {t('Add rule')}
          </Button>
        }
      >
        {(rules) => {
          const move = (from: number, to: number) => void order({ do: 'order', ids: idsMoved(rules, from, to) });
          return rules.length === 0 ? (
            <Examples onChoose={(values) => setEditing({ values })} />
          ) : (
            <ol aria-label={t('Rules')} className="divide-y rounded-card border bg-surface">
              {rules.map((rule, at) => (
                <RuleRow
                  key={rule._id}
                  site={site}
                  rule={rule}
                  targets={targets}
                  onLog={() => showLog(rule._id)}
                  onEdit={() => setEditing({ rule, values: valuesOf(rule) })}
                  onUp={at > 0 ? () => move(at, at - 1) : undefined}
                  onDown={at < rules.length - 1 ? () => move(at, at + 1) : undefined}
                />
              ))}
            </ol>
          );
        }}
      </ListSection>
      {list.data && <RuleLog siteId={site._id} rules={list.data} targets={targets} rule={logged} onRule={setLogged} />}
      <SidePanel
        open={editing !== null}
        onOpenChange={() => setEditing(null)}
        title={editing?.rule ? t('Edit rule') : t('Add rule')}
      >
        {editing && (
          <RuleForm
            site={site}
            targets={targets}
            rule={editing.rule}
            values={editing.values}
            onDone={() => setEditing(null)}
          />
        )}
      </SidePanel>
    </div>
  );
}

/** What rules are good for, to begin with. */
function Examples({ onChoose }: { onChoose: (values: RuleValues) => void }) {
  return (
    <div className="rounded-card border bg-surface px-4 py-3">
      <p className="text-muted">{t('No rules yet. Begin with one of these:')}</p>
      <div className="flex flex-wrap gap-2 pt-3">
        {EXAMPLES.map((example) => (
          <Button key={example.name} variant="secondary" size="sm" onClick={() => onChoose(withTexts(example))}>
            {t(example.name)}
          </Button>
        ))}
      </div>
    </div>
  );
}

const valuesOf = ({ name, enabled, event, minutes, conditions, actions }: Rule): RuleValues => ({
  name,
  enabled,
  event,
  minutes,
  conditions,
  actions,
});

/** An example in the reader's language. */
const withTexts = (example: RuleValues): RuleValues => ({ ...example, name: t(example.name) });
