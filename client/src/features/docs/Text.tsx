import type { DocCode, DocSection } from 'server/contract';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Heading } from './Heading.tsx';
import { useFill } from './Values.tsx';

/** A text whose words between backticks are code. */
export function Text({ children }: { children: string }) {
  const fill = useFill();
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

/** Something to copy, with a button that does. */
export function Code({ code: { code, language } }: { code: DocCode }) {
  const text = useFill()(code);
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

/** One section: heading, words, list, code. */
export function Section({ section: { id, title, text, items, code, links } }: { section: DocSection }) {
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
