import './styles.css';
import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root');

/** The main page comes alone: who reads it first need not wait for the dashboard's code. */
const Page: ComponentType =
  location.pathname === '/'
    ? (await import('./features/landing/LandingPage.tsx')).default
    : (await import('./app/App.tsx')).App;

createRoot(root).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
