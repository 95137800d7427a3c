import type { Attribute, VisitorFacts } from 'server/contract';
import { Fact } from './Fact.tsx';

/** What the website tells of its visitor, apart from what Parley itself has seen. */
export function Told({ visitor: { userId, verified, attributes } }: { visitor: VisitorFacts }) {
  if (userId === null && attributes.length === 0) return null;
  return (
    <section aria-label="From the website" className="border-b px-5 py-5">
      <h3 className="pb-3 text-xs text-muted">From the website</h3>
      <dl className="grid grid-cols-2 gap-4">
        {userId !== null && (
          <Fact label={verified ? 'ID' : 'ID, not verified'} wide>
            {userId}
          </Fact>
        )}
        {attributes.map(({ name, value }) => (
          <Fact key={name} label={<bdi>{name}</bdi>}>
            <span dir="auto">{inWords(value)}</span>
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function inWords(value: Attribute['value']): string {
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value);
}
