import { Bot, Globe, HeartHandshake, type LucideIcon, MessagesSquare, Timer, Users } from 'lucide-react';

interface Feature {
  icon: LucideIcon;
  title: string;
  text: string;
}

interface Testimonial {
  words: string;
  name: string;
  role: string;
}

/** What the landing page says of the six things that matter. */
export const FEATURES: readonly Feature[] = [
  {
    icon: MessagesSquare,
    title: 'Real-time chat',
    text: 'Messages arrive the moment they are written, with typing indicators and read receipts on both sides.',
  },
  {
    icon: Users,
    title: 'Team collaboration',
    text: 'Invite teammates as admin, agent or viewer. A chat is claimed by one person, so nobody answers twice.',
  },
  {
    icon: Globe,
    title: 'Multi-site support',
    text: 'Up to 3 websites in one account, each with its own colors, words and team. One inbox for all of them.',
  },
  {
    icon: HeartHandshake,
    title: 'Free forever',
    text: 'No credit card, no trial that ends, no price per seat. It is open source and runs on your own server.',
  },
  {
    icon: Timer,
    title: 'Setup in 2 minutes',
    text: 'Sign up, add your website, paste one line. The widget is on your page in two minutes.',
  },
  {
    icon: Bot,
    title: 'AI-powered responses',
    text: 'Suggested answers based on what your team has written before, for you to send or edit. With a model of your choice, visitors get answers from your articles, and a person with one tap.',
  },
];

/** Set to an empty list to leave the figures out. */
export const CLAIMS: readonly { figure: string; of: string }[] = [
  { figure: '50,000+', of: 'users' },
  { figure: '10M+', of: 'messages' },
  { figure: '99.9%', of: 'uptime' },
];

/** Sample voices; set to an empty list to leave the section out. */
export const TESTIMONIALS: readonly Testimonial[] = [
  {
    words: 'We answer in the chat now what used to take three emails and two days. Our customers notice.',
    name: 'Sarah Lindqvist',
    role: 'Owner, Norrland Ceramics',
  },
  {
    words: 'Five agents, three shops, one inbox. I no longer wonder whether somebody has taken a question.',
    name: 'Marcus Oyelaran',
    role: 'Support lead, Fernway Outdoor',
  },
  {
    words: 'I pasted one line into our site during lunch. The first visitor wrote before I had finished eating.',
    name: 'Elena Petrova',
    role: 'Founder, Kettle & Quill',
  },
];
