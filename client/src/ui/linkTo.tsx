import { Link, type LinkProps } from 'react-router-dom';

/** Draws a link in a sentence, as a part for `rich`. */
export function linkTo(to: string, state?: LinkProps['state']) {
  return (text: string) => (
    <Link to={to} state={state} className="font-medium text-accent hover:underline">
      {text}
    </Link>
  );
}
