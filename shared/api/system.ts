import { z } from 'zod';
import { defineRoute } from './route.ts';

const room = 'system';

export const systemRoutes = {
  health: defineRoute({
    id: 'getHealth',
    room,
    method: 'GET',
    path: '/health',
    summary: 'Check that the gateway is running',
    access: 'public',
    ignoresUnknownQuery: true,
    answer: { status: 200, schema: z.strictObject({ status: z.literal('ok') }).meta({ id: 'Health' }) },
  }),
  ready: defineRoute({
    id: 'getReadiness',
    room,
    method: 'GET',
    path: '/health/ready',
    summary: 'Check that the gateway can accept faxes',
    access: 'public',
    answer: {
      status: 200,
      schema: z
        .strictObject({
          status: z.enum(['ok', 'not ready']),
          problems: z.array(z.string()),
          warnings: z
            .array(z.string())
            .describe('problems that need attention while faxes are still accepted'),
        })
        .meta({ id: 'Readiness' }),
    },
    refusals: ['not_ready'],
  }),
  metrics: defineRoute({
    id: 'getMetrics',
    room,
    method: 'GET',
    path: '/metrics',
    summary: 'Get metrics for Prometheus',
    description: 'Prometheus sends the key in `Authorization: Bearer <key>`.',
    access: 'diagnostics:read',
    answer: { status: 200, contentType: 'text/plain' },
  }),
  openapi: defineRoute({
    id: 'getOpenApi',
    room,
    method: 'GET',
    path: '/openapi.json',
    summary: 'Get the machine-readable description of this API (OpenAPI 3.1)',
    access: 'public',
    answer: { status: 200, schema: z.record(z.string(), z.unknown()) },
    hasRanges: true,
  }),
  consoleOpenapi: defineRoute({
    id: 'getConsoleOpenApi',
    room,
    method: 'GET',
    path: '/openapi-console.json',
    summary: 'Get the description of the routes that only the console’s window can call (OpenAPI 3.1)',
    access: 'public',
    answer: { status: 200, schema: z.record(z.string(), z.unknown()) },
    hasRanges: true,
  }),
} as const;
