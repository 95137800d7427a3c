interface LogoProps {
  size?: number;
  /** Shows the product's name beside the logo. */
  named?: boolean;
}

/** The mark: a tall filled bubble and a round outlined one that overlap into a 'p'. */
export function Logo({ size = 28, named = false }: LogoProps) {
  return (
    <span className="inline-flex items-center gap-2">
      <svg width={size} height={size} viewBox="0 0 32 32" fill="none" className="text-accent" aria-hidden="true">
        <path d="M4 6a3 3 0 0 1 3-3h5v19.5l-8 8Z" fill="currentColor" />
        <path d="M18 5a8 8 0 1 1 0 16h-6V5Z" stroke="currentColor" strokeWidth="4" strokeLinejoin="round" />
      </svg>
      {named ? <span className="text-lg font-semibold tracking-tight text-text">Parley</span> : null}
      {!named && <span className="sr-only">Parley</span>}
    </span>
  );
}
