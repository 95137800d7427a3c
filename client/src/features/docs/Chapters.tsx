import type { DocMethod, DocTutorial } from 'server/contract';
import { Heading } from './Heading.tsx';
import { Parameters } from './Reference.tsx';
import { Code, Text } from './Text.tsx';

/** Methods, or events, each with an example. */
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

/** Complete examples, step by step. */
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
