import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { type TelephonyLine, type TrunkPreset, telephonyRoutes } from '../../shared/api/telephony.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';

export type Preset = z.infer<typeof TrunkPreset>;
export type LineFacts = z.infer<typeof TelephonyLine>;

/** The phone line: its engine and its trunk. */
export const { telephony } = createRooms({ telephony: telephonyRoutes }, origin);

/** They come with the release. */
export const presetsQuery = queryOptions({
  queryKey: ['telephony-presets'],
  queryFn: async () => (await telephony.telephonyPresets()).presets,
  staleTime: Number.POSITIVE_INFINITY,
});

/** State of the phone line as saved, with the configuration written for it. */
export const lineQuery = queryOptions({
  queryKey: ['telephony-line'],
  queryFn: ({ signal }) => telephony.telephonyLine({ signal }),
});
