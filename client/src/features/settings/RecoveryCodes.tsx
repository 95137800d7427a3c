import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';

/** The codes for the day the phone is lost, shown this once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <div className="flex flex-col gap-5 pt-4">
      <p>
        Each of these signs you in once when your phone is not at hand. Keep them somewhere safe: they are not shown
        again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-card bg-background p-4 font-mono min-[400px]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-2">
        <CopyButton text={codes.join('\n')} label="Copy codes" />
        <Button size="sm" onClick={onDone}>
          I have kept them
        </Button>
      </div>
    </div>
  );
}
