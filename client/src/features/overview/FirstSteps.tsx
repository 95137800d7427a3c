import { Check } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Site } from 'server/contract';
import { msg, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/Button.tsx';

const STEPS = [
  msg('Add your website'),
  msg('Paste its line of code into your pages'),
  msg('Answer the first visitor from the inbox'),
];

/** What to do until the first visitor has written. @param site the first website, once there is one */
export function FirstSteps({ site }: { site: Site | undefined }) {
  return (
    <>
      <ol className="flex flex-col gap-3 pt-6">
        {STEPS.map((step, index) => (
          <li key={step} className="flex items-center gap-3">
            <span className="inline-flex size-7 items-center justify-center rounded-full border text-xs font-semibold tabular-nums">
              {site && index === 0 ? <Check size={16} aria-label={t('Done')} className="text-success" /> : index + 1}
            </span>
            {t(step)}
          </li>
        ))}
      </ol>
      <Button asChild className="mt-6">
        {site ? (
          <Link to={paths.embedCode(site._id)}>{t('Get the embed code')}</Link>
        ) : (
          <Link to={paths.newSite}>{t('Add your website')}</Link>
        )}
      </Button>
    </>
  );
}
