import { z } from 'zod';
import { defineRoute } from './route.ts';

const room = 'system';

export const systemRoutes = {
  health: defineRoute({
    id: 'health',
    room,
    method: 'GET',
    path: '/health',
    summary: 'Whether the gateway runs',
    access: 'public',
    answer: { status: 200, schema: z.strictObject({ status: z.literal('ok') }).meta({ id: 'Health' }) },
  }),
  ready: defineRoute({
    id: 'ready',
    room,
    method: 'GET',
    path: '/health/ready',
    summary: 'Whether the gateway can take faxes',
    access: 'public',
    answer: {
      status: 200,
      schema: z
        .strictObject({
          status: z.enum(['ok', 'not ready']),
          problems: z.array(z.string()),
          warnings: z.array(z.string()).describe('what somebody should look at although faxes are taken'),
        })
        .meta({ id: 'Readiness' }),
    },
    refusals: ['not_ready'],
  }),
  metrics: defineRoute({
    id: 'metrics',
    room,
    method: 'GET',
    path: '/metrics',
    summary: 'Figures for Prometheus',
    description:
      'Takes an API key in `X-API-Key` or, as Prometheus sends it, in `Authorization: Bearer <key>`.',
    access: 'diagnostics:read',
    bearer: true,
    answer: { status: 200, contentType: 'text/plain' },
  }),
  openapi: defineRoute({
    id: 'openapi',
    room,
    method: 'GET',
    path: '/openapi.json',
    summary: 'This interface, machine-readable (OpenAPI 3.1)',
    access: 'public',
    answer: { status: 200, schema: z.record(z.string(), z.unknown()) },
  }),
} as const;
