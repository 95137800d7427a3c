import type { Doc } from './api.ts';

interface Entry {
  id: string;
  title: string;
}

/** The headings of a page, to jump to. */
export function Contents({ doc }: { doc: Doc }) {
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
