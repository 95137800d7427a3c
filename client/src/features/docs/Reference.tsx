import type { DocEndpoint, DocEndpointGroup, DocParameter } from 'server/contract';
import { Badge } from '../../ui/Badge.tsx';
import { Heading } from './Heading.tsx';
import { Text } from './Text.tsx';

const ASKS = { anyone: 'No token', staff: "A person's token", visitor: "A visitor's token" } as const;

/** What something takes, as a table. */
export function Parameters({ parameters, label }: { parameters: DocParameter[]; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys
    <div tabIndex={0} className="overflow-x-auto rounded-card border bg-surface">
      <table aria-label={label} className="w-full min-w-md text-left text-sm">
        <thead className="border-b text-xs text-muted">
          <tr>
            <th className="px-4 py-2 font-medium">Name</th>
            <th className="px-4 py-2 font-medium">Type</th>
            <th className="px-4 py-2 font-medium">What it is</th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {parameters.map(({ name, type, required, description, in: place }) => (
            <tr key={`${place} ${name}`} className="align-top">
              <td className="px-4 py-2 font-mono text-xs leading-5">{name}</td>
              <td className="px-4 py-2 whitespace-nowrap text-muted">{type}</td>
              <td className="px-4 py-2">
                <span className="text-muted">
                  {[place && `in the ${place}`, required ? 'required' : 'optional'].filter(Boolean).join(', ')}
                </span>
                {description && (
                  <>
                    {' · '}
                    <Text>{description}</Text>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The calls of the HTTP API, chapter by chapter, each closed until somebody looks. */
export function Endpoints({ groups }: { groups: DocEndpointGroup[] }) {
  return groups.map(({ id, title, endpoints }) => (
    <section key={id} aria-labelledby={id} className="flex flex-col gap-4 pt-10">
      <Heading id={id}>{title}</Heading>
      <div className="divide-y rounded-card border bg-surface">
        {endpoints.map((endpoint) => (
          <Endpoint key={endpoint.id} endpoint={endpoint} />
        ))}
      </div>
    </section>
  ));
}

function Endpoint({ endpoint: { id, method, path, description, audience, parameters } }: { endpoint: DocEndpoint }) {
  return (
    <details id={id} className="group scroll-mt-24">
      <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-3">
        <span className="w-14 font-mono text-xs font-semibold text-accent">{method}</span>
        <span className="font-mono text-sm wrap-anywhere">{path}</span>
        <span className="basis-full pl-0 text-sm text-muted sm:pl-17">
          <Text>{description}</Text>
        </span>
      </summary>
      <div className="flex flex-col gap-3 px-4 pb-4">
        <div>
          <Badge>{ASKS[audience]}</Badge>
        </div>
        {parameters.length > 0 && <Parameters parameters={parameters} label={`What ${method} ${path} takes`} />}
      </div>
    </details>
  );
}
