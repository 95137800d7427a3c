import type { DocEndpoint, DocEndpointGroup, DocMethod, DocParameter, DocTutorial } from 'server/contract';
import { Badge } from '../../ui/Badge.tsx';
import { Code, Heading, Text } from './Text.tsx';

const ASKS = { anyone: 'No token', staff: "A person's token", visitor: "A visitor's token" } as const;

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

/** The calls of the HTTP API, in groups of collapsed entries. */
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

function Endpoint({
  endpoint: { id, method, path, description, audience, scope, parameters },
}: {
  endpoint: DocEndpoint;
}) {
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
        <div className="flex flex-wrap gap-2">
          <Badge>{ASKS[audience]}</Badge>
          {scope && <Badge>{`API key: ${scope}`}</Badge>}
        </div>
        {parameters.length > 0 && <Parameters parameters={parameters} label={`What ${method} ${path} takes`} />}
      </div>
    </details>
  );
}

export function Methods({ id, title, methods }: { id: string; title: string; methods: DocMethod[] }) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-8 pt-10">
      <Heading id={id}>{title}</Heading>
      {methods.map((method) => (
        <div key={method.id} className="flex flex-col gap-3">
          <Heading id={method.id} level={3}>
            {method.name}
          </Heading>
          <p>
            <Text>{method.description}</Text>
          </p>
          {method.parameters.length > 0 && (
            <Parameters parameters={method.parameters} label={`What ${method.name} takes`} />
          )}
          <Code code={method.example} />
        </div>
      ))}
    </section>
  );
}

export function Tutorials({ tutorials }: { tutorials: DocTutorial[] }) {
  return tutorials.map(({ id, title, description, steps }) => (
    <section key={id} aria-labelledby={id} className="flex flex-col gap-4 pt-10">
      <Heading id={id}>{title}</Heading>
      <p>
        <Text>{description}</Text>
      </p>
      <ol className="flex flex-col gap-6">
        {steps.map((step, index) => (
          <li key={step.title} className="flex min-w-0 gap-4">
            <span
              aria-hidden
              className="mt-0.5 inline-flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent-strong"
            >
              {index + 1}
            </span>
            <div className="flex min-w-0 flex-1 flex-col gap-3">
              <div>
                <h3 className="font-semibold">{step.title}</h3>
                <p>
                  <Text>{step.text}</Text>
                </p>
              </div>
              {step.code && <Code code={step.code} />}
            </div>
          </li>
        ))}
      </ol>
    </section>
  ));
}
