interface FooterGroup {
  title: string;
  links: readonly { to: string; label: string }[];
}

/** Where the foot of every public page leads. */
export const FOOTER: readonly FooterGroup[] = [
  {
    title: 'Product',
    links: [
      { to: '/features', label: 'Features' },
      { to: '/roadmap', label: 'Roadmap' },
      { to: '/integrations', label: 'Integrations' },
      { to: '/api', label: 'API' },
    ],
  },
  {
    title: 'Help',
    links: [
      { to: '/docs', label: 'Docs' },
      { to: '/help', label: 'Help' },
      { to: '/blog', label: 'Blog' },
      { to: '/status', label: 'Status' },
    ],
  },
  {
    title: 'Company',
    links: [
      { to: '/about', label: 'About' },
      { to: '/careers', label: 'Careers' },
      { to: '/contact', label: 'Contact' },
      { to: '/privacy', label: 'Privacy' },
    ],
  },
];
