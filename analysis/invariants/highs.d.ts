/**
 * The part of the solver that is used. The package's own types describe its CommonJS build, where the loader sits one
 * `default` deeper than an ESM import finds it.
 */
declare module 'highs' {
  /** A loaded solver; each call solves one model and shares nothing with the next. */
  export interface Highs {
    /** Solves a model in CPLEX LP format. Throws when the text or an option cannot be read. */
    solve(
      model: string,
      options: { readonly output_flag: boolean; readonly mip_rel_gap: number },
    ): {
      /** `Optimal`, `Infeasible`, `Unbounded` and others. */
      readonly Status: string;
      /** By the variable's name. `Primal` is absent where there is no solution. */
      readonly Columns: Readonly<Record<string, { readonly Primal?: number }>>;
    };
  }

  /** Loads the WebAssembly module. */
  export default function loadHighs(): Promise<Highs>;
}
