import { z } from 'zod';

/** The settings of the phone line that the configuration is written from. */
export const LINE_SETTINGS = z.object({
  TELEPHONY_HOST: z.string(),
  TELEPHONY_PORT: z.number(),
  TELEPHONY_USER: z.string(),
  TELEPHONY_PASSWORD: z.string().nullable(),
  TELEPHONY_ENGINE_FOLDER: z.string().nullable(),
  TRUNK_PRESET: z.string().nullable(),
  TRUNK_HOST: z.string().nullable(),
  TRUNK_NAME: z.string(),
  TRUNK_PORT: z.number(),
  TRUNK_TRANSPORT: z.enum(['udp', 'tcp', 'tls']),
  TRUNK_AUTHENTICATION: z.enum(['registration', 'digest', 'address']),
  TRUNK_USER: z.string().nullable(),
  TRUNK_PASSWORD: z.string().nullable(),
  TRUNK_CODECS: z.string(),
  TRUNK_T38: z.boolean(),
  TRUNK_T38_CORRECTION: z.enum(['redundancy', 'fec', 'none']),
  TRUNK_ECM: z.boolean(),
  TRUNK_MOST_RATE: z.string(),
  TRUNK_EVEN_PORTS: z.boolean(),
  TRUNK_EXTERNAL_ADDRESS: z.string().nullable(),
  TRUNK_LOCAL_NETS: z.array(z.string()).readonly(),
  TRUNK_STATION_ID: z.string().nullable(),
});

export type LineSettings = z.infer<typeof LINE_SETTINGS>;
