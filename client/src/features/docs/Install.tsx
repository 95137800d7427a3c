import { Link, useLocation, useSearchParams } from 'react-router-dom';
import type { DocTutorial } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { cx } from '../../lib/cx.ts';
import { t } from '../../lib/i18n.ts';
import { paths, withParams } from '../../lib/paths.ts';
import { rich } from '../../lib/rich.ts';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../../ui/Select.tsx';
import { useReader } from './placeholders.tsx';
import { Tutorials } from './Reference.tsx';
import { Heading } from './Text.tsx';

/** The guide for the platform in the address, with a picker of platforms and of the reader's websites. */
export function Install({ platforms }: { platforms: DocTutorial[] }) {
  const [params] = useSearchParams();
  const platform = platforms.find(({ id }) => id === params.get('platform')) ?? platforms[0];
  return (
    <>
      <SiteChoice />
      <nav aria-label={t('Kind of website')} className="flex flex-wrap gap-2 pt-8">
        {platforms.map(({ id, title }) => (
          <Link
            key={id}
            to={{ search: `${withParams(params, { platform: id })}` }}
            aria-current={id === platform?.id}
            className={cx(
              'rounded-control border px-3 py-1.5 text-sm font-medium',
              id === platform?.id
                ? 'border-accent bg-accent-soft text-accent-strong'
                : 'bg-surface text-muted hover:border-muted hover:text-text',
            )}
          >
            {title}
          </Link>
        ))}
      </nav>
      {platform && <Tutorials tutorials={[platform]} />}
      <Check />
    </>
  );
}

/** Whose code the snippets have. */
function SiteChoice() {
  const { sites, site } = useReader();
  const { isAuthenticated } = useAuth();
  const [, setParams] = useSearchParams();
  const from = useLocation();
  if (!isAuthenticated)
    return (
      <p className="pt-4 text-sm text-muted">
        {rich('<a>Log in</a>, and the snippets have the code of your website.', {
          a: (words) => (
            <Link to="/login" state={{ from }} className="text-accent-strong underline underline-offset-2">
              {words}
            </Link>
          ),
        })}
      </p>
    );
  if (!site || !sites || sites.length < 2) return null;
  const choose = (id: string) => setParams((params) => withParams(params, { site: id }), { replace: true });
  return (
    <div className="max-w-xs pt-6">
      <Select
        label={t('Website')}
        value={site._id}
        onValueChange={choose}
        options={sites.map(({ _id, name }) => ({ value: _id, label: name }))}
      />
    </div>
  );
}

/** Where the dashboard says whether the widget was seen. */
function Check() {
  const { site } = useReader();
  return (
    <section aria-labelledby="check" className="flex flex-col items-start gap-4 pt-10">
      <Heading id="check">{t('Check my site')}</Heading>
      <p>
        {t(
          'Open a page of your website. The dashboard then says where and when the chat was seen, or what is missing.',
        )}
      </p>
      <Button asChild variant="secondary">
        <Link to={site ? paths.embedCode(site._id) : paths.selfCheck}>{t('Check now')}</Link>
      </Button>
    </section>
  );
}
