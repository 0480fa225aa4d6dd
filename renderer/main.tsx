import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { router } from './router.tsx';
import './styles/tokens.css';
import './styles/base.css';
import { keepFocus } from './ui/focus/keeper.ts';
import { LiveRegion } from './ui/live-region.tsx';

keepFocus();
const root = document.getElementById('console');
if (!root) throw new Error('The page has no element for the console.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <LiveRegion />
    </QueryClientProvider>
  </StrictMode>,
);
