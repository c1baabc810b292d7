"""The long way of counting, which every other way is compared with: each lane goes through the whole kernel."""

import gpusim as gs
from gpusim.machine.account.tally import Tally
from gpusim.machine.launch import Launch, run_lanes
from gpusim.machine.run import Run


def by_lanes(kernel, grid, block, arguments, **options):
    """The run with every lane gone through; options : chunk=512 lanes at a time, so that most launches have several."""
    launch, tally = Launch(kernel, grid, block, 0, gs.H100, dataless=True), Tally()
    run_lanes(launch, kernel.bind(arguments), tally, **options)
    return Run(launch, arguments, tally, "lockstep")
