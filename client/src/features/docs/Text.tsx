import { Link as LinkIcon } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import type { DocCode, DocSection, DocTable } from 'server/contract';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { useReader } from './placeholders.tsx';

/** A text whose words between backticks are code. */
export function Text({ children }: { children: string }) {
  const { fill } = useReader();
  return fill(children)
    .split('`')
    .map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
        <code key={index} className="rounded-small bg-text/6 px-1 py-0.5 font-mono text-[0.9em] wrap-anywhere">
          {part}
        </code>
      ),
    );
}

export function Code({ code: { code, language } }: { code: DocCode }) {
  const text = useReader().fill(code);
  return (
    <div className="relative rounded-card border bg-surface">
      <div className="flex items-center justify-between gap-3 border-b py-1.5 pr-2 pl-4">
        <span className="text-xs font-medium text-muted uppercase">{language}</span>
        <CopyButton text={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys */}
      <pre tabIndex={0} className="overflow-x-auto p-4 font-mono text-xs leading-5">
        <code>{text}</code>
      </pre>
    </div>
  );
}

/** A table that scrolls sideways on narrow screens. */
function Table({ table: { head, rows }, label }: { table: DocTable; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys
    <section tabIndex={0} aria-label={label} className="overflow-x-auto rounded-card border bg-surface">
      <table className="w-full min-w-160 text-left text-sm">
        <thead className="border-b text-xs text-muted">
          <tr>
            {head.map((cell) => (
              <th key={cell} scope="col" className="px-4 py-2 font-medium">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((cells) => (
            <tr key={cells[0]} className="align-top">
              {cells.map((cell, column) => (
                <td key={head[column]} className="px-4 py-2 first:min-w-60">
                  {cell.split('\n').map((line) => (
                    <span key={line} className="block">
                      <Text>{line}</Text>
                    </span>
                  ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Section({ section: { id, title, text, items, table, code, links } }: { section: DocSection }) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4 pt-10">
      <Heading id={id}>{title}</Heading>
      {text.map((paragraph) => (
        <p key={paragraph}>
          <Text>{paragraph}</Text>
        </p>
      ))}
      {items && (
        <ul className="flex list-disc flex-col gap-2 pl-5 marker:text-muted">
          {items.map((item) => (
            <li key={item}>
              <Text>{item}</Text>
            </li>
          ))}
        </ul>
      )}
      {table && <Table table={table} label={title} />}
      {links?.map((link) => (
        <a key={link.href} href={link.href} className="w-fit text-accent-strong underline-offset-2 hover:underline">
          {link.text}
        </a>
      ))}
      {code?.map((each) => (
        <Code key={each.code} code={each} />
      ))}
    </section>
  );
}

/** A heading that can be linked to. */
export function Heading({ id, level = 2, children }: { id: string; level?: 2 | 3; children: string }) {
  const { pathname, search } = useLocation();
  const Tag = level === 2 ? 'h2' : 'h3';
  return (
    <Tag id={id} className={`group scroll-mt-24 font-semibold ${level === 2 ? 'text-xl/7' : 'text-base'}`}>
      {children}
      <Link
        to={{ pathname, search, hash: id }}
        aria-label={`Link to ${children}`}
        className="ml-2 inline-block align-middle text-muted opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
      >
        <LinkIcon size={16} aria-hidden />
      </Link>
    </Tag>
  );
}
