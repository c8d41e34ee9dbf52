import { defineConfig } from 'vitest/config';

/** `x.test.ts` is pure and fast; `x.itest.ts` needs Postgres, sockets or processes and the built `dist`. */
export default defineConfig({
  ssr: { resolve: { conditions: ['forkscope-source'] } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['{analysis,trials,src}/**/*.test.ts'],
          testTimeout: 30_000,
          // Pure modules hold no state, so a fresh module graph for each file would only cost time (half of it).
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['{analysis,trials,src}/**/*.itest.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          // Each file starts processes of its own and often waits for them: two at once fill two cores, more would not help.
          maxWorkers: 2,
        },
      },
    ],
  },
});
