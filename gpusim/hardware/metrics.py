"""What Nsight Compute is asked for, and which of gpusim's counts each answer stands beside."""

from __future__ import annotations

# Hardware counters, every launch: short name -> metric
COUNTERS = {
    "warp_instructions": "smsp__inst_executed.sum",
    "thread_instructions": "smsp__thread_inst_executed.sum",
    "branch_instructions": "smsp__inst_executed_op_branch.sum",
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_load_sectors_l1_hit": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "global_reduction_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "global_reduction_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
    "global_atomic_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "global_atomic_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "local_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "local_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
    "shared_load_instructions": "smsp__inst_executed_op_shared_ld.sum",
    "shared_matrix_instructions": "smsp__inst_executed_op_ldsm.sum",
    "shared_store_instructions": "smsp__inst_executed_op_shared_st.sum",
    "shared_atomic_instructions": "smsp__inst_executed_op_shared_atom.sum",
    "shared_load_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "shared_atomic_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    "shared_load_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "shared_store_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "shared_atomic_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
    "l1_data_wavefronts": "l1tex__data_pipe_lsu_wavefronts.sum",
    "l1_tag_wavefronts": "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum",
    "l1_hit_percent": "l1tex__t_sector_hit_rate.pct",
    "l2_read_sectors": "lts__t_sectors_srcunit_tex_op_read.sum",
    "l2_write_sectors": "lts__t_sectors_srcunit_tex_op_write.sum",
    "l2_hit_percent": "lts__t_sector_hit_rate.pct",
    "dram_read_bytes": "dram__bytes_read.sum",
    "dram_write_bytes": "dram__bytes_write.sum",
    "achieved_occupancy_percent": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "issue_active_percent": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "cycles": "sm__cycles_elapsed.max",
    "profiler_ns": "gpu__time_duration.sum",
}

# What a launch kept busy, in percent of the most that the unit can do (elapsed cycles), and how long a warp
# waits for what, in cycles for each instruction that is issued: short name -> metric
PERCENT = "avg.pct_of_peak_sustained_elapsed"
PROFILE = {
    "issue_percent": f"smsp__issue_active.{PERCENT}",
    "fma_percent": f"sm__inst_executed_pipe_fma.{PERCENT}",
    "alu_percent": f"sm__inst_executed_pipe_alu.{PERCENT}",
    "lsu_percent": f"sm__inst_executed_pipe_lsu.{PERCENT}",
    "xu_percent": f"sm__inst_executed_pipe_xu.{PERCENT}",
    "fp64_percent": f"sm__inst_executed_pipe_fp64.{PERCENT}",
    "tensor_percent": f"sm__inst_executed_pipe_tensor.{PERCENT}",
    "l1_data_percent": f"l1tex__data_pipe_lsu_wavefronts.{PERCENT}",
    "shared_percent": f"l1tex__data_pipe_lsu_wavefronts_mem_shared.{PERCENT}",
    "l1_tag_percent": f"l1tex__t_output_wavefronts.{PERCENT}",
    "l2_to_l1_percent": f"l1tex__m_xbar2l1tex_read_sectors.{PERCENT}",
    "l1_to_l2_percent": f"l1tex__m_l1tex2xbar_write_sectors.{PERCENT}",
    "l2_percent": f"lts__t_sectors.{PERCENT}",
    "l2_tag_percent": f"lts__t_tag_requests.{PERCENT}",
    "dram_percent": f"dram__throughput.{PERCENT}",
    "warps_resident": "smsp__warps_active.avg.per_cycle_active",
    "warps_ready": "smsp__warps_eligible.avg.per_cycle_active",
    "sm_active_percent": "sm__cycles_active.avg.pct_of_peak_sustained_elapsed",
}
STALLS = (
    "long_scoreboard short_scoreboard wait barrier membar math_pipe_throttle mio_throttle lg_throttle "
    "tex_throttle not_selected selected no_instruction dispatch_stall drain imc_miss branch_resolving "
    "sleeping misc gmma"
).split()
PROFILE |= {
    f"stall_{why}": f"smsp__average_warps_issue_stalled_{why}_per_issue_active.ratio" for why in STALLS
}

# Counted by instrumenting the machine code (short launches only), free of scheduling noise.
EXACT = {
    "warp_instructions": "smsp__sass_inst_executed.sum",
    "thread_instructions": "thread_inst_executed",
    "branches": "smsp__sass_branch_targets.sum",
    "divergent_branches": "smsp__sass_branch_targets_threads_divergent.sum",
    "global_load_instructions": "smsp__sass_inst_executed_op_global_ld.sum",
    "global_store_instructions": "smsp__sass_inst_executed_op_global_st.sum",
    "global_load_sectors": "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_sectors": "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared_load_instructions": "smsp__sass_inst_executed_op_shared_ld.sum",
    "shared_store_instructions": "smsp__sass_inst_executed_op_shared_st.sum",
    "shared_atomic_instructions": "smsp__sass_inst_executed_op_shared_atom.sum",
    "shared_load_wavefronts": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store_wavefronts": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "shared_atomic_wavefronts": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    "ffma_threads": "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "fadd_threads": "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
    "fmul_threads": "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
}
OPCODES = "sass__inst_executed_per_opcode_with_modifier_all"
OPCODES_ASKED = "sass__inst_executed_per_opcode"  # ncu answers it under the longer name as well

# A count of gpusim -> (name in EXACT, name in COUNTERS): the first that was measured stands beside it.
TWINS = {
    "warp_instructions": ("warp_instructions", "warp_instructions"),
    "thread_instructions": ("thread_instructions", "thread_instructions"),
    "branches": ("branches", None),
    "divergent_branches": ("divergent_branches", None),
    "global_load_requests": (None, "global_load_requests"),
    "global_load_sectors": ("global_load_sectors", "global_load_sectors"),
    "global_store_requests": (None, "global_store_requests"),
    "global_store_sectors": ("global_store_sectors", "global_store_sectors"),
    "shared_load_requests": ("shared_load_instructions", "shared_load_instructions"),
    "shared_load_wavefronts": ("shared_load_wavefronts", "shared_load_wavefronts"),
    "shared_load_excess": (None, "shared_load_conflicts"),
    "shared_store_requests": ("shared_store_instructions", "shared_store_instructions"),
    "shared_store_wavefronts": ("shared_store_wavefronts", "shared_store_wavefronts"),
    "shared_store_excess": (None, "shared_store_conflicts"),
    "shared_atomic_requests": ("shared_atomic_instructions", "shared_atomic_instructions"),
    "shared_atomic_wavefronts": ("shared_atomic_wavefronts", "shared_atomic_wavefronts"),
    "shared_atomic_excess": (None, "shared_atomic_conflicts"),
}


def counts(counters, exact=None, opcodes=None) -> dict:
    """gpusim's counts as a real GPU counted them: {name: int}.

    counters, exact : {short name: value} of the two tables; opcodes : {opcode: warp instructions}

    >>> counts({"global_load_requests": 8}, opcodes={"BAR.SYNC": 4, "LDG.E": 8})["barriers"]
    4
    """
    exact, found = exact or {}, {}
    for name, (first, second) in TWINS.items():
        value = exact.get(first, counters.get(second))
        if value is not None:
            found[name] = value
    for name, parts in (
        ("global_atomic_requests", ("global_reduction_requests", "global_atomic_requests")),
        ("global_atomic_sectors", ("global_reduction_sectors", "global_atomic_sectors")),
    ):
        if all(part in counters for part in parts):
            found[name] = sum(counters[part] for part in parts)
    if counters.get(
        "shared_matrix_instructions"
    ):  # LDSM: other counters leave it out, but for the wavefronts
        found["shared_load_requests"] = (
            counters["shared_load_instructions"] + counters["shared_matrix_instructions"]
        )
        found["shared_load_wavefronts"] = counters["shared_load_wavefronts"]
    if opcodes and any(op.startswith("LDGSTS") for op in opcodes):  # cp.async: instrumenting leaves it out
        found["global_load_sectors"] = counters["global_load_sectors"]
    if opcodes:
        found["barriers"] = sum(n for op, n in opcodes.items() if op.startswith("BAR."))
        found["shuffles"] = sum(n for op, n in opcodes.items() if op.startswith("SHFL."))
        found["tensor_instructions"] = sum(n for op, n in opcodes.items() if op.startswith("HMMA."))
    if "ffma_threads" in exact:
        found["flops"] = 2 * exact["ffma_threads"] + exact["fadd_threads"] + exact["fmul_threads"]
    return found
