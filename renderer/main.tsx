import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { router } from './router.tsx';
import './styles/tokens.css';
import './styles/base.css';
import { LiveRegion } from './ui/live-region.tsx';

const place = document.getElementById('console');
if (!place) throw new Error('The page has no place for the console.');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <LiveRegion />
    </QueryClientProvider>
  </StrictMode>,
);
