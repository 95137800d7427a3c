import { ArrowLeft } from 'lucide-react';
import { Tabs as Radix } from 'radix-ui';
import { useEffect } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { DOC_PARTS } from 'server/contract';
import { PublicLayout } from '../../shared/PublicLayout.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { type Doc, useDoc } from './api.ts';
import { Install } from './Install.tsx';
import { Placeholders } from './placeholders.tsx';
import { Endpoints, Methods, Parameters, Tutorials } from './Reference.tsx';
import { Heading, Section, Text } from './Text.tsx';

const PAGES = ['overview', ...DOC_PARTS] as const;
type Page = (typeof PAGES)[number];

/** Pages that another one links to have no tab of their own. */
const BELOW: Partial<Record<Page, Page>> = {
  webhooks: 'api-endpoints',
  install: 'embed-code',
  'api-keys': 'api-endpoints',
  'move-in': 'embed-code',
  assistant: 'overview',
  departments: 'overview',
};
const TABS = PAGES.filter((page) => !(page in BELOW));
const tabOf = (page: Page) => BELOW[page] ?? page;

const LABELS: Record<Page, string> = {
  overview: 'Overview',
  'embed-code': 'Embed Code',
  install: 'Install the chat',
  'api-endpoints': 'API Reference',
  'javascript-api': 'JavaScript API',
  'api-keys': 'API keys',
  webhooks: 'Webhooks',
  examples: 'Examples',
  'move-in': 'Moving from another chat',
  assistant: 'Assistant',
  departments: 'Departments and office hours',
};

/** /docs; the open page stands in the address. */
export default function DocsPage() {
  const [params, setParams] = useSearchParams();
  const page = PAGES.find((each) => each === params.get('tab')) ?? 'overview';
  const show = (next: string) => setParams(next === 'overview' ? {} : { tab: next });
  return (
    <PublicLayout>
      <title>{`${LABELS[page]} · Parley docs`}</title>
      <Radix.Root
        value={tabOf(page)}
        onValueChange={show}
        activationMode="manual"
        className="mx-auto max-w-6xl gap-10 px-4 py-8 sm:px-6 lg:grid lg:grid-cols-[12rem_minmax(0,1fr)] xl:grid-cols-[12rem_minmax(0,1fr)_12rem]"
      >
        <div className="lg:sticky lg:top-24 lg:self-start">
          <a href="/" className="inline-flex items-center gap-1.5 pb-4 text-muted hover:text-text">
            <ArrowLeft size={16} aria-hidden />
            Back to main page
          </a>
          <Radix.List aria-label="Documentation" className="flex gap-1 overflow-x-auto max-lg:border-b lg:flex-col">
            {TABS.map((each) => (
              <Radix.Trigger
                key={each}
                value={each}
                // The tab is the current one already while the page is one that it links to.
                onClick={() => page !== each && tabOf(page) === each && show(each)}
                className="shrink-0 rounded-control px-3 py-2 text-left font-medium text-muted hover:text-text focus-visible:-outline-offset-2 data-[state=active]:bg-accent-soft data-[state=active]:text-accent-strong"
              >
                {LABELS[each]}
              </Radix.Trigger>
            ))}
          </Radix.List>
        </div>
        <Radix.Content value={tabOf(page)} className="min-w-0 max-lg:pt-8 xl:col-span-2 xl:grid xl:grid-cols-subgrid">
          <Placeholders>
            <Part key={page} page={page} />
          </Placeholders>
        </Radix.Content>
      </Radix.Root>
    </PublicLayout>
  );
}

function Part({ page }: { page: Page }) {
  const { data: doc, isPending, refetch } = useDoc(page);
  const { hash } = useLocation();
  // The target of the hash exists only after the text is loaded.
  useEffect(() => {
    const named = doc && hash ? document.getElementById(decoded(hash.slice(1))) : null;
    if (named instanceof HTMLDetailsElement) named.open = true;
    named?.scrollIntoView();
  }, [doc, hash]);
  if (isPending) return <DocSkeleton />;
  if (!doc)
    return <ErrorState what="Failed to load documentation" retryLabel="Try Again" onRetry={() => void refetch()} />;
  return (
    <>
      <article className="min-w-0 max-w-3xl text-base/[1.625]">
        <h1 className="text-3xl font-semibold tracking-tight">{doc.title}</h1>
        <p className="pt-2 text-muted">
          <Text>{doc.description}</Text>
        </p>
        {'version' in doc && <p className="pt-2 text-sm text-muted">{`Version ${doc.version}`}</p>}
        <Body doc={doc} />
      </article>
      <aside className="max-xl:hidden">
        <div className="sticky top-24 max-h-[calc(100dvh-8rem)] overflow-y-auto">
          <Contents doc={doc} />
        </div>
      </aside>
    </>
  );
}

/** The decoded hash of an address; empty if it is malformed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function Body({ doc }: { doc: Doc }) {
  return (
    <>
      {'parameters' in doc && (
        <section aria-labelledby="attributes" className="flex flex-col gap-4 pt-10">
          <Heading id="attributes">Attributes</Heading>
          <Parameters parameters={doc.parameters} label="Attributes of the script tag" />
        </section>
      )}
      {'platforms' in doc && <Install platforms={doc.platforms} />}
      {doc.sections.map((section) => (
        <Section key={section.id} section={section} />
      ))}
      {'endpoints' in doc && <Endpoints groups={doc.endpoints} />}
      {'methods' in doc && (
        <>
          <Methods id="methods" title="Methods" methods={doc.methods} />
          <Methods id="events" title="Events" methods={doc.events} />
        </>
      )}
      {'tutorials' in doc && <Tutorials tutorials={doc.tutorials} />}
    </>
  );
}

function DocSkeleton() {
  return (
    <div role="status" className="flex max-w-3xl flex-col gap-4">
      <span className="sr-only">Loading documentation</span>
      <Skeleton className="h-9 w-72" />
      <Skeleton className="h-5 w-full" />
      <Skeleton className="h-5 w-4/5" />
      <Skeleton className="mt-8 h-7 w-48" />
      <Skeleton className="h-40 w-full" />
    </div>
  );
}

interface Entry {
  id: string;
  title: string;
}

function Contents({ doc }: { doc: Doc }) {
  return (
    <nav aria-label="On this page" className="text-sm">
      <p className="pb-2 font-semibold">On this page</p>
      <ul className="flex flex-col border-l">
        {entriesOf(doc).map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="-ml-px block border-l border-transparent py-1 pl-3 text-muted hover:border-accent hover:text-text"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function entriesOf(doc: Doc): Entry[] {
  return [
    ...('parameters' in doc ? [{ id: 'attributes', title: 'Attributes' }] : []),
    ...('platforms' in doc ? [{ id: 'check', title: 'Check my site' }] : []),
    ...doc.sections,
    ...('endpoints' in doc ? doc.endpoints : []),
    ...('methods' in doc
      ? [
          { id: 'methods', title: 'Methods' },
          { id: 'events', title: 'Events' },
        ]
      : []),
    ...('tutorials' in doc ? doc.tutorials : []),
  ];
}
