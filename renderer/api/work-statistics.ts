import { workStatisticsRoutes } from '../../shared/api/work-statistics.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';

/** Comes with the screen that shows the statistics and not with the first. */
export const { workStatistics } = createRooms({ workStatistics: workStatisticsRoutes }, origin);

export type Statistics = Awaited<ReturnType<typeof workStatistics.workStatistics>>;
