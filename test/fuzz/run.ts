import { fuzz } from './fuzz.ts';

// `npm run fuzz -- [minutes] [seed]`: random requests to the public routes. It fails when one hangs or is answered 500, or
// when descriptors or files of work are left.
const [minutes = 10, seed = 1] = process.argv.slice(2).map(Number);
const began = performance.now();
let summary = began;
const { requests, statuses, hung, failed, before, after } = await fuzz(seed, (done) => {
  const now = performance.now();
  if (now - summary > 60_000) {
    summary = now;
    console.error(`${done} requests`);
  }
  return now - began < minutes * 60_000;
});
console.log(`${requests} requests with seed ${seed} in ${Math.round((performance.now() - began) / 1000)} s`);
console.log('answers', statuses);
console.log('held before', before);
console.log('held after ', after);
console.log(`${hung.length} hung`, hung.slice(0, 20));
console.log(`${failed.length} answered 500`, failed.slice(0, 20));
const isBack = after.workFiles === 0 && (after.descriptors ?? 0) <= (before.descriptors ?? 0);
process.exitCode = hung.length === 0 && failed.length === 0 && isBack ? 0 : 1;
