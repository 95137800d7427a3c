/** A public page with one sentence: where it is, and what it says or will say. */
export interface ComingSoon {
  path: string;
  title: string;
  text: string;
  /** The sentence is all there is to say. */
  isWhole?: boolean;
}

export const COMING_SOON: readonly ComingSoon[] = [
  {
    path: '/features',
    title: 'Features',
    text: 'Every feature in detail, with pictures. The main page has the short version.',
  },
  { path: '/roadmap', title: 'Roadmap', text: 'What is being built now, and what comes after it.' },
  {
    path: '/integrations',
    title: 'Integrations',
    text: 'The tools that Parley talks to, and how to connect each of them.',
  },
  { path: '/blog', title: 'Blog', text: 'Notes from the making of Parley.' },
  {
    path: '/about',
    title: 'About',
    text: 'Parley is live chat for your own server. It is free because it is open source.',
    isWhole: true,
  },
  { path: '/careers', title: 'Careers', text: 'There are no open positions at the moment.', isWhole: true },
  { path: '/contact', title: 'Contact', text: 'How to reach the people who run this server.' },
];
