import { z } from 'zod';
import { defineRoute } from './route.ts';

const BACKENDS = ['local', 's3'] as const;

const Backend = z
  .enum(BACKENDS)
  .describe('place of new documents: the data folder, or a bucket of an object storage');

export const StorageState = z
  .strictObject({
    backend: Backend,
    bucket: z
      .string()
      .nullable()
      .describe(
        'address of the documents in the object storage, such as `s3://faxes/office/`; null if no bucket is named',
      ),
    problem: z
      .string()
      .nullable()
      .describe('reason why the bucket was last not usable, as a sentence for people; null if there is none'),
    waiting_removals: z
      .int()
      .min(0)
      .describe('documents that could not be removed from the bucket yet; it is tried again'),
  })
  .meta({ id: 'StorageState' });

export const StorageStep = z
  .strictObject({
    to: Backend,
    done: z.int().min(0).describe('documents of this step that were moved or are as they were stored'),
    failed: z
      .array(
        z.strictObject({
          name: z.string(),
          reason: z.string().describe('a sentence for people'),
        }),
      )
      .describe('documents of this step that failed, each with the reason'),
    next: z.string().nullable().describe('`after` of the next step; null if every document was looked at'),
  })
  .meta({ id: 'StorageStep' });

const After = z.strictObject({
  after: z
    .string()
    .max(1000)
    .optional()
    .describe('name of the document after which the step begins; left out for the first step'),
});

const room = 'storage';

export const storageRoutes = {
  state: defineRoute({
    id: 'readStorage',
    room,
    method: 'GET',
    path: '/console/storage',
    summary: 'Get the state of the storage of documents',
    access: 'settings:read',
    answer: { status: 200, schema: StorageState },
  }),
  check: defineRoute({
    id: 'checkStorage',
    room,
    method: 'POST',
    path: '/console/storage/check',
    summary: 'Read some documents in the bucket and compare them with their SHA-256',
    description: 'Repeat it with `after` until `next` is null.',
    access: 'settings:write',
    body: After,
    answer: { status: 200, schema: StorageStep },
    refusals: ['no_bucket'],
  }),
  move: defineRoute({
    id: 'moveStorage',
    room,
    method: 'POST',
    path: '/console/storage/move',
    summary: 'Move some documents to where new ones are kept',
    description:
      'The setting `STORAGE_BACKEND` says where to. Each document is verified at its new place before it is removed from the old one, so it can be broken off and begun again at any time. Repeat it with `after` until `next` is null.',
    access: 'settings:write',
    audited: { operation: 'storage.move', target: 'storage' },
    body: After,
    answer: { status: 200, schema: StorageStep },
    refusals: ['no_bucket'],
  }),
  adopt: defineRoute({
    id: 'setStorageOwner',
    room,
    method: 'POST',
    path: '/console/storage/adopt',
    summary: 'Take over the documents in the bucket from the installation that this one replaces',
    description:
      'For an installation that was restored from a backup. The other installation stores and removes nothing there from then on.',
    access: 'settings:write',
    audited: { operation: 'storage.adopt', target: 'storage' },
    answer: { status: 200, schema: StorageState },
    refusals: ['no_bucket'],
  }),
} as const;
