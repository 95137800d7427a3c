import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/Button.tsx';

const STEPS = ['Add your website', 'Paste its line of code into your pages', 'Answer the first visitor from the inbox'];

/** What to do as long as there is no website. */
export function FirstSteps() {
  return (
    <>
      <ol className="flex flex-col gap-3 pt-6">
        {STEPS.map((step, index) => (
          <li key={step} className="flex items-center gap-3">
            <span className="inline-flex size-7 items-center justify-center rounded-full border text-xs font-semibold tabular-nums">
              {index + 1}
            </span>
            {step}
          </li>
        ))}
      </ol>
      <Button asChild className="mt-6">
        <Link to={paths.newSite}>Add your website</Link>
      </Button>
    </>
  );
}
